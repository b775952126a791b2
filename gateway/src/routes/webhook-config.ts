import { UpdateWebhookConfigBody, WebhookConfigView } from '@tripline/proto/http/key'
import { getWebhook, updateWebhook } from '@tripline/proto/key-request'
import type { Access } from '../access/access.ts'
import type { Ask } from '../ask.ts'
import { webhookConfigView } from '../domain/key-view.ts'
import { type Api, bearer, sessionRefusals } from './api.ts'

const tags = ['webhook']

const response = { ...sessionRefusals, 200: WebhookConfigView }

/** The user's webhook and its settings. */
export function webhookConfigRoutes(
  api: Api,
  ask: Ask,
  { guard, sessionOf }: Access,
  publicUrl: string,
): void {
  api.get(
    '/api/webhook-config',
    { onRequest: guard, schema: { tags, summary: 'The webhook', security: bearer, response } },
    async (request) => {
      const webhook = await ask(getWebhook, { userId: sessionOf(request).sub })
      return webhookConfigView(webhook, publicUrl)
    },
  )
  const summary = 'Change the webhook; what is left out stays'
  const body = UpdateWebhookConfigBody
  api.put(
    '/api/webhook-config',
    { onRequest: guard, schema: { tags, summary, security: bearer, body, response } },
    async (request) => {
      const { is_active: isActive, max_requests_per_minute: maxRequestsPerMinute } = request.body
      const { alert_format: alertFormat } = request.body
      const asked = { userId: sessionOf(request).sub, isActive, maxRequestsPerMinute, alertFormat }
      return webhookConfigView(await ask(updateWebhook, asked), publicUrl)
    },
  )
}
