import { busSettings, commonSettings } from '@tripline/kit/config'
import { z } from 'zod'

/** The settings of auth. */
export const Config = z.object({
  ...commonSettings,
  ...busSettings,
  DATABASE_URL: z.string().min(1),
  /** Key-encryption keys, `<id>:<32 bytes in base64url>`, the one to encrypt with first. */
  KEK: z.string().min(1),
  ACCESS_TOKEN_MINUTES: z.coerce.number().int().min(1).max(60).default(10),
  /** A session ends when it was not refreshed for so long. */
  SESSION_IDLE_DAYS: z.coerce.number().int().min(1).default(7),
  /** A session ends so long after its login, however much it is used. */
  SESSION_LONGEST_DAYS: z.coerce.number().int().min(1).default(30),
})

export type Config = z.infer<typeof Config>
