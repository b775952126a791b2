import { AddressList, busSettings, commonSettings, doorSettings, TrustedProxies } from '@tripline/kit/config'
import { traceSettings } from '@tripline/kit/trace'
import { z } from 'zod'

/** The settings of intake. */
export const Config = z.object({
  ...commonSettings,
  ...busSettings,
  ...doorSettings,
  ...traceSettings,
  /** Whether a proxy in front says which alerts are traced: the gateway does, and passes on nobody else's word. */
  TRACE_FROM_PROXY: z.enum(['on', 'off']).default('off'),
  REDIS_URL: z.string().min(1),
  /** What all of intake's keys in Redis begin with. */
  REDIS_PREFIX: z.string().min(1).default('intake:'),
  /** How long an alert waits for Redis; then limits and repeats are judged without it. */
  REDIS_PATIENCE_MS: z.coerce.number().int().min(1).max(10_000).default(250),
  /** How long an answer waits for the result; charting platforms hang up after 3 s. */
  RESULT_WAIT_MS: z.coerce.number().int().min(0).max(60_000).default(2200),
  TRUST_PROXY: TrustedProxies,
  /** From where TradingView sends alerts, as it publishes. */
  TRADINGVIEW_ADDRESSES: AddressList.prefault('52.89.214.238,34.212.75.30,54.218.53.128,52.32.178.7'),
  /** How many unknown tokens one address may try in a minute. */
  UNKNOWN_TOKENS_PER_MINUTE: z.coerce.number().int().min(1).default(20),
})
export type Config = ReturnType<typeof Config.parse>
