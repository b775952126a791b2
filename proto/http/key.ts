import { z } from 'zod'
import { Exchange, MarketType } from '../exchange.ts'
import { AlertFormat, BotLabel } from '../user-config.ts'

/** `POST /api/keys`; a Paper key needs no credentials, its account is opened for it. */
export const CreateKeyBody = z.object({
  label: BotLabel,
  exchange: Exchange.default('bybit'),
  market_type: MarketType.default('futures'),
  api_key: z.string().trim().max(256).optional(),
  api_secret: z.string().trim().max(4096).optional(),
  is_testnet: z.boolean().default(false),
  notify_on_trade: z.boolean().default(true),
  notify_on_error: z.boolean().default(true),
  notify_on_fill: z.boolean().default(false),
})
export type CreateKeyBody = z.infer<typeof CreateKeyBody>

/** One API key as its owner sees it; the secret is never part of it. */
export const KeyView = z.object({
  id: z.uuid(),
  label: z.string(),
  exchange: Exchange,
  market_type: MarketType,
  api_key_preview: z.string(),
  is_testnet: z.boolean(),
  notify_on_trade: z.boolean(),
  notify_on_error: z.boolean(),
  notify_on_fill: z.boolean(),
  created_at: z.iso.datetime(),
})
export type KeyView = z.infer<typeof KeyView>

/** `GET /api/webhook-config`. */
export const WebhookConfigView = z.object({
  webhook_url: z.string(),
  is_active: z.boolean(),
  max_requests_per_minute: z.int().min(1).max(60),
  alert_format: AlertFormat.describe(
    'in which form alerts are read; tripline is our own language, as text or JSON',
  ),
})
export type WebhookConfigView = z.infer<typeof WebhookConfigView>

/** `PUT /api/webhook-config`; what is left out stays. */
export const UpdateWebhookConfigBody = WebhookConfigView.omit({ webhook_url: true }).partial()
export type UpdateWebhookConfigBody = z.infer<typeof UpdateWebhookConfigBody>
