import { KeyView, WebhookConfigView } from '@tripline/proto/http/key'
import { api } from '../../shared/api.ts'

const terminalApi = api.injectEndpoints({
  endpoints: (build) => ({
    listKeys: build.query<KeyView[], void>({
      query: () => 'keys',
      responseSchema: KeyView.array(),
      providesTags: ['Key'],
    }),
    linkPaperBot: build.mutation<KeyView, string>({
      query: (label) => ({
        url: 'keys',
        method: 'POST',
        body: { label, exchange: 'paper', market_type: 'futures' },
      }),
      responseSchema: KeyView,
      invalidatesTags: ['Key'],
    }),
    getWebhookConfig: build.query<WebhookConfigView, void>({
      query: () => 'webhook-config',
      responseSchema: WebhookConfigView,
    }),
  }),
})

export const { useListKeysQuery, useLinkPaperBotMutation, useGetWebhookConfigQuery } = terminalApi
