import { AddressList, busSettings, commonSettings, doorSettings, TrustedProxies } from '@tripline/kit/config'
import { traceSettings } from '@tripline/kit/telemetry/trace'
import { z } from 'zod'

/** The settings of intake. */
export const Config = z.object({
  ...commonSettings,
  ...busSettings,
  ...doorSettings,
  ...traceSettings,
  /** Whether a proxy in front says which alerts are traced: the gateway does, and passes on nobody else's word. */
  TRACE_FROM_PROXY: z.enum(['on', 'off']).default('off'),
  /** The database of receipts; alerts are taken without it. */
  DATABASE_URL: z.string().min(1),
  /** The time that an answer waits for its receipt behind the result. */
  RECEIPT_WAIT_MS: z.coerce.number().int().min(0).max(60_000).default(100),
  /** The interval at which receipts are compared with the history, by one of all intakes. */
  RECEIPT_AUDIT_SECONDS: z.coerce.number().int().min(1).max(60).default(20),
  /** The time for which receipts are stored. */
  RECEIPT_RETENTION_DAYS: z.coerce.number().int().min(1).max(36_500).default(400),
  REDIS_URL: z.string().min(1),
  /** The beginning of all of intake's keys in Redis. */
  REDIS_PREFIX: z.string().min(1).default('intake:'),
  /** The time that an alert waits for Redis; then limits and repeats are judged without it. */
  REDIS_PATIENCE_MS: z.coerce.number().int().min(1).max(10_000).default(250),
  /** The time that an answer waits for the result; charting platforms hang up after 3 s. */
  RESULT_WAIT_MS: z.coerce.number().int().min(0).max(60_000).default(2200),
  TRUST_PROXY: TrustedProxies,
  /** From where TradingView sends alerts, as it publishes. */
  TRADINGVIEW_ADDRESSES: AddressList.prefault('52.89.214.238,34.212.75.30,54.218.53.128,52.32.178.7'),
  /** Unknown tokens that one address may try in a minute. */
  UNKNOWN_TOKENS_PER_MINUTE: z.coerce.number().int().min(1).default(20),
  /** Alerts of one webhook that are read in a minute and refused in the end; beyond that none is read. */
  REFUSED_PER_MINUTE: z.coerce.number().int().min(1).default(120),
  /** Whether alerts are refused that would wait too long, since more come than are executed. */
  ADMISSION: z.enum(['on', 'off']).default('on'),
  /** Messages of one user's own session, such as the Terminal's, that are taken in a minute. */
  SESSION_MESSAGES_PER_MINUTE: z.coerce.number().int().min(1).default(60),
  /** Bytes of alerts that one user may have stored in a minute, as they lie in the stream. */
  ALERT_BYTES_PER_MINUTE: z.coerce.number().int().min(1).default(4_000_000),
  /** Commands that one user may have stored in a minute. */
  COMMANDS_PER_MINUTE: z.coerce.number().int().min(1).default(2000),
  /** Bytes that one user's alerts and their events may take in a day. */
  STORED_BYTES_PER_DAY: z.coerce.number().int().min(1).default(400_000_000),
  /**
   * Bytes that a day of events may take for one user's refused alerts; as many again for those from foreign addresses.
   */
  REFUSED_BYTES_PER_DAY: z.coerce.number().int().min(1).default(8_000_000),
  /** Ids of their own that one user's alerts may have in a day. */
  IDS_PER_DAY: z.coerce.number().int().min(1).default(20_000),
  /** For how many users the bucket of ids and the stream of alerts have to suffice, whatever some of them do. */
  EXPECTED_USERS: z.coerce.number().int().min(1).default(1000),
  /**
   * Bytes of answers that are stored in a day for repeats of one user's ids, and of all users'; further ones lose their
   * results.
   */
  ANSWER_BYTES_PER_DAY: z.coerce.number().int().min(1).default(16_000_000),
  ANSWER_BYTES_OF_ALL_PER_DAY: z.coerce.number().int().min(1).default(256_000_000),
  /** Bytes of one user's alerts that may wait to be executed. */
  ALERT_BYTES_WAITING: z.coerce.number().int().min(1).default(8_000_000),
  /** Commands of one user that may wait to be executed. */
  COMMANDS_WAITING: z.coerce.number().int().min(1).default(5000),
})
export type Config = ReturnType<typeof Config.parse>
