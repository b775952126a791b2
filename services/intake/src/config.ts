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
  /** How many alerts of one webhook are read in a minute that are refused in the end; beyond that none is read. */
  REFUSED_PER_MINUTE: z.coerce.number().int().min(1).default(120),
  /** How many messages of one user's own session, such as the Terminal's, are taken in a minute. */
  SESSION_MESSAGES_PER_MINUTE: z.coerce.number().int().min(1).default(60),
  /** How many bytes of alerts one user may have stored in a minute, as they lie in the stream. */
  ALERT_BYTES_PER_MINUTE: z.coerce.number().int().min(1).default(4_000_000),
  /** How many commands one user may have stored in a minute. */
  COMMANDS_PER_MINUTE: z.coerce.number().int().min(1).default(2000),
  /** How many bytes one user's alerts and their events may take in a day. */
  STORED_BYTES_PER_DAY: z.coerce.number().int().min(1).default(400_000_000),
  /** How many bytes a day of events may tell of one user's refused alerts; as many again of those from foreign addresses. */
  REFUSED_BYTES_PER_DAY: z.coerce.number().int().min(1).default(8_000_000),
  /** How many ids of their own one user's alerts may have in a day. */
  IDS_PER_DAY: z.coerce.number().int().min(1).default(20_000),
  /** For how many users the bucket of ids and the stream of alerts have to suffice, whatever some of them do. */
  EXPECTED_USERS: z.coerce.number().int().min(1).default(1000),
  /** How many bytes of answers are kept in a day for repeats of one user's ids, and of all users'; further ones lose their results. */
  ANSWER_BYTES_PER_DAY: z.coerce.number().int().min(1).default(16_000_000),
  ANSWER_BYTES_OF_ALL_PER_DAY: z.coerce.number().int().min(1).default(256_000_000),
  /** How many bytes of one user's alerts may wait to be executed. */
  ALERT_BYTES_WAITING: z.coerce.number().int().min(1).default(8_000_000),
  /** How many commands of one user may wait to be executed. */
  COMMANDS_WAITING: z.coerce.number().int().min(1).default(5000),
})
export type Config = ReturnType<typeof Config.parse>
