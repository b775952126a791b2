import { KeyView, WebhookConfigView } from '@tripline/proto/http/key'
import { api } from '../../shared/api.ts'

/** What a Paper bot is linked from. */
export interface NewPaperBot {
  label: string
  market: 'futures' | 'spot'
}

const terminalApi = api.injectEndpoints({
  endpoints: (build) => ({
    listKeys: build.query<KeyView[], void>({
      query: () => 'keys',
      responseSchema: KeyView.array(),
      providesTags: ['Key'],
    }),
    linkPaperBot: build.mutation<KeyView, NewPaperBot>({
      query: ({ label, market }) => ({
        url: 'keys',
        method: 'POST',
        body: { label, exchange: 'paper', market_type: market },
      }),
      responseSchema: KeyView,
      invalidatesTags: ['Key'],
    }),
    resetPaperBot: build.mutation<void, KeyView['id']>({
      query: (id) => ({ url: `keys/${id}/reset`, method: 'POST' }),
    }),
    getWebhookConfig: build.query<WebhookConfigView, void>({
      query: () => 'webhook-config',
      responseSchema: WebhookConfigView,
    }),
  }),
})

export const {
  useListKeysQuery,
  useLinkPaperBotMutation,
  useResetPaperBotMutation,
  useGetWebhookConfigQuery,
} = terminalApi
