import { busSettings, commonSettings } from '@tripline/kit/config'
import { z } from 'zod'

/** The settings of keys. */
export const Config = z.object({
  ...commonSettings,
  ...busSettings,
  DATABASE_URL: z.string().min(1),
  /** Key-encryption keys, `<id>:<32 bytes in base64url>`, the one to encrypt with first. */
  KEK: z.string().min(1),
  /** Whether Binance USDⓈ-M bots may be linked on the mainnet. */
  ALLOW_MAINNET_FUTURES: z.stringbool().default(false),
  MAX_BOTS_PER_USER: z.coerce.number().int().min(1).default(50),
  /** Accounts on the paper exchange that one user may open in 24 hours; those of unlinked bots count. */
  PAPER_ACCOUNTS_PER_DAY: z.coerce.number().int().min(1).default(100),
})

export type Config = z.infer<typeof Config>
