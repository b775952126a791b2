import { z } from 'zod'
import { DecimalText } from '../decimal.ts'
import { Exchange, MarketType } from '../exchange.ts'
import { KeyTest } from '../key-test.ts'
import { AlertFormat, NewBotLabel, TradingState } from '../user-config.ts'

/** `POST /api/keys`; a Paper key needs no credentials, its account is opened for it. */
export const CreateKeyBody = z.object({
  label: NewBotLabel,
  exchange: Exchange.default('bybit'),
  market_type: MarketType.default('futures'),
  api_key: z.string().trim().max(256).optional(),
  api_secret: z.string().trim().max(4096).optional(),
  api_passphrase: z.string().trim().max(256).optional().describe('of OKX alone'),
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
  last_test: KeyTest.extend({ tested_at: z.iso.datetime() })
    .nullable()
    .describe('the findings of the last test; null while it was never tested'),
  problem: z
    .string()
    .nullable()
    .describe('why no order can be signed with its credentials, and the remedy; null where none is known of'),
})
export type KeyView = z.infer<typeof KeyView>

/** `PUT /api/keys/{id}`; what is left out stays, and the exchange account always does. */
export const UpdateKeyBody = z
  .object({
    label: NewBotLabel,
    market_type: MarketType,
    notify_on_trade: z.boolean(),
    notify_on_error: z.boolean(),
    notify_on_fill: z.boolean(),
  })
  .partial()
export type UpdateKeyBody = z.infer<typeof UpdateKeyBody>

/** `GET /api/keys/addresses`. */
export const KeyAddressesView = z.object({
  addresses: z
    .array(z.string())
    .describe(
      'the addresses that exchanges see us come from, for API keys that allow some only; empty where not said',
    ),
})
export type KeyAddressesView = z.infer<typeof KeyAddressesView>

/** `GET /api/keys/{id}/trading`. */
export const KeyTradingView = z.object({
  state: TradingState.describe('active trades, reducing only makes positions smaller, halted does nothing'),
  max_entry_age_s: z.int().min(1).max(86_400).describe('the age that an entry may have when it is sent'),
  exit_retry_s: z
    .int()
    .min(0)
    .max(3600)
    .describe(
      'the time for which an exit or a cancel is tried that the exchange does not take; 0: no longer than an entry',
    ),
  max_order_value: DecimalText.nullable().describe(
    'the most that one order may be worth, in the quote currency',
  ),
})
export type KeyTradingView = z.infer<typeof KeyTradingView>

/** `PUT /api/keys/{id}/trading`; what is left out stays. */
export const UpdateKeyTradingBody = KeyTradingView.partial()
export type UpdateKeyTradingBody = z.infer<typeof UpdateKeyTradingBody>

/** `GET` and `PUT /api/trading-state`: what all keys of the user are held to at least. */
export const TradingStateView = z.object({ state: TradingState })
export type TradingStateView = z.infer<typeof TradingStateView>

/** `GET`, `POST` and `POST .../regenerate` of `/api/keys/{id}/close-only`. */
export const CloseOnlyAddressView = z.object({
  webhook_url: z.string().nullable().describe('null while the API key has none'),
})
export type CloseOnlyAddressView = z.infer<typeof CloseOnlyAddressView>

/** `GET /api/webhook-config`. */
export const WebhookConfigView = z.object({
  webhook_url: z.string(),
  is_active: z.boolean(),
  max_requests_per_minute: z.int().min(1).max(60),
  alert_format: AlertFormat.describe(
    'in which form alerts are read; tripline is our own language, as text or JSON',
  ),
  only_tradingview: z.boolean().describe("whether only TradingView's addresses may call it"),
})
export type WebhookConfigView = z.infer<typeof WebhookConfigView>

/** `PUT /api/webhook-config`; what is left out stays. */
export const UpdateWebhookConfigBody = WebhookConfigView.omit({ webhook_url: true }).partial()
export type UpdateWebhookConfigBody = z.infer<typeof UpdateWebhookConfigBody>

/** `GET /api/webhook-config/usage`: who called the present address, and how much of the limit is used. */
export const WebhookUsageView = z.object({
  used_last_minute: z.int().describe('how many alerts count towards the limit at this moment'),
  session: z
    .object({ used_last_minute: z.int(), max_requests_per_minute: z.int() })
    .nullable()
    .describe("the same of messages of the owner's session, which count apart; null while it is not known"),
  senders: z
    .array(
      z.object({
        address: z.string(),
        last_seen_at: z.iso.datetime(),
        is_tradingview: z.boolean().describe("whether it is one of TradingView's published addresses"),
      }),
    )
    .describe('the last addresses that called it, newest first'),
})
export type WebhookUsageView = z.infer<typeof WebhookUsageView>

/** `POST /api/webhook-config/regenerate`; the old address is dead from then on. */
export const RegenerateWebhookBody = z.object({ confirm: z.literal(true) })
export type RegenerateWebhookBody = z.infer<typeof RegenerateWebhookBody>
