import { UpdateWebhookConfigBody, WebhookConfigView } from '@tripline/proto/http/key'
import { getWebhook, updateWebhook } from '@tripline/proto/key-request'
import type { Access } from '../access/access.ts'
import type { Ask } from '../ask.ts'
import { webhookConfigView } from '../domain/key-view.ts'
import { type Api, bearer, sessionRefusals } from './api.ts'

const tags = ['webhook']

/** The user's webhook and its settings. */
export function webhookConfigRoutes(
  api: Api,
  ask: Ask,
  { guard, sessionOf }: Access,
  publicUrl: string,
): void {
  api.get(
    '/api/webhook-config',
    {
      onRequest: guard,
      schema: {
        tags,
        summary: 'The webhook',
        security: bearer,
        response: { ...sessionRefusals, 200: WebhookConfigView },
      },
    },
    async (request) =>
      webhookConfigView(await ask(getWebhook, { userId: sessionOf(request).sub }), publicUrl),
  )
  api.put(
    '/api/webhook-config',
    {
      onRequest: guard,
      schema: {
        tags,
        summary: 'Change the webhook; what is left out stays',
        security: bearer,
        body: UpdateWebhookConfigBody,
        response: { ...sessionRefusals, 200: WebhookConfigView },
      },
    },
    async (request) => {
      const { is_active: isActive, max_requests_per_minute: maxRequestsPerMinute } = request.body
      const asked = { userId: sessionOf(request).sub, isActive, maxRequestsPerMinute }
      return webhookConfigView(await ask(updateWebhook, asked), publicUrl)
    },
  )
}
