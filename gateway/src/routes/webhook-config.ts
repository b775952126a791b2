import {
  RegenerateWebhookBody,
  UpdateWebhookConfigBody,
  WebhookConfigView,
  WebhookUsageView,
} from '@tripline/proto/http/key'
import { getWebhookUsage } from '@tripline/proto/intake-request'
import { getWebhook, regenerateWebhook, updateWebhook } from '@tripline/proto/key-request'
import type { Access } from '../access/access.ts'
import type { Ask } from '../ask.ts'
import { webhookConfigView } from '../domain/key-view.ts'
import { type Api, bearer, sessionRefusals } from './api.ts'

const shared = {
  tags: ['webhook'],
  security: bearer,
  response: { ...sessionRefusals, 200: WebhookConfigView },
}

/** The user's webhook and its settings. */
export function webhookConfigRoutes(api: Api, ask: Ask, access: Access, publicUrl: string): void {
  settingsRoutes(api, ask, access, publicUrl)
  regenerateRoute(api, ask, access, publicUrl)
  usageRoute(api, ask, access)
}

function settingsRoutes(api: Api, ask: Ask, { guard, sessionOf }: Access, publicUrl: string): void {
  const path = '/api/webhook-config'
  api.get(
    path,
    { onRequest: guard, schema: { ...shared, operationId: 'getWebhookConfig', summary: 'The webhook' } },
    async (request) => {
      const webhook = await ask(getWebhook, { userId: sessionOf(request).sub })
      return webhookConfigView(webhook, publicUrl)
    },
  )
  const summary = 'Change the webhook; what is left out stays'
  const schema = { ...shared, operationId: 'updateWebhookConfig', summary, body: UpdateWebhookConfigBody }
  api.put(path, { onRequest: guard, schema }, async (request) => {
    const { is_active: isActive, max_requests_per_minute: maxRequestsPerMinute } = request.body
    const { alert_format: alertFormat, only_tradingview: onlyTradingview } = request.body
    const settings = { isActive, maxRequestsPerMinute, alertFormat, onlyTradingview }
    return webhookConfigView(
      await ask(updateWebhook, { userId: sessionOf(request).sub, ...settings }),
      publicUrl,
    )
  })
}

function regenerateRoute(api: Api, ask: Ask, { guard, sessionOf }: Access, publicUrl: string): void {
  const summary = 'Give the webhook a new address; the old one is dead at once'
  const schema = { ...shared, operationId: 'regenerateWebhook', summary, body: RegenerateWebhookBody }
  api.post('/api/webhook-config/regenerate', { onRequest: guard, schema }, async (request) => {
    const webhook = await ask(regenerateWebhook, { userId: sessionOf(request).sub })
    return webhookConfigView(webhook, publicUrl)
  })
}

function usageRoute(api: Api, ask: Ask, { guard, sessionOf }: Access): void {
  const summary = 'How much of the limit is used now, and who called the webhook last'
  const schema = {
    ...shared,
    operationId: 'getWebhookUsage',
    summary,
    response: { ...sessionRefusals, 200: WebhookUsageView },
  }
  api.get('/api/webhook-config/usage', { onRequest: guard, schema }, async (request) => {
    const { usedLastMinute, session, senders } = await ask(getWebhookUsage, {
      userId: sessionOf(request).sub,
    })
    return {
      used_last_minute: usedLastMinute,
      session: session
        ? { used_last_minute: session.usedLastMinute, max_requests_per_minute: session.maxPerMinute }
        : null,
      senders: senders.map(({ address, seenAt, isTradingview }) => ({
        address,
        last_seen_at: new Date(seenAt).toISOString(),
        is_tradingview: isTradingview,
      })),
    }
  })
}
