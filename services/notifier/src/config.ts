import { busSettings, commonSettings } from '@tripline/kit/config'
import { traceSettings } from '@tripline/kit/telemetry/trace'
import { z } from 'zod'

/** The settings of the notifier. */
export const Config = z.object({
  ...commonSettings,
  ...busSettings,
  ...traceSettings,
  DATABASE_URL: z.string().min(1),
  /** The private keys that bot tokens were sealed to. */
  SEAL_PRIVATE_KEYS: z.string().min(1),
  /** The address of Telegram's Bot API; no request goes anywhere else. */
  TELEGRAM_API_URL: z
    .url({ protocol: /^https?$/ })
    .transform((url) => url.replace(/\/+$/, ''))
    .default('https://api.telegram.org'),
  TELEGRAM_TIMEOUT_MS: z.coerce.number().int().positive().default(5000),
  /** The time that the first message waits for others, and that lies between messages to one chat. */
  GATHER_MS: z.coerce.number().int().positive().default(1000),
  /** After how long a message is no news any more. */
  NOTE_LIFE_MINUTES: z.coerce.number().int().positive().default(60),
  /** Days for which it is known that a message was sent. */
  SENT_NOTE_LIFE_DAYS: z.coerce.number().int().positive().default(7),
  /** Messages that may wait for one user. */
  NOTES_PER_USER: z.coerce.number().int().positive().default(200),
  /** After which time what failed is tried again, at first. */
  RETRY_FIRST_MS: z.coerce.number().int().positive().default(1000),
})
export type Config = z.infer<typeof Config>
