import { busSettings, commonSettings } from '@tripline/kit/config'
import { z } from 'zod'

/** The settings of the executor. */
export const Config = z.object({
  ...commonSettings,
  ...busSettings,
  /** The private keys that exchange credentials were sealed to. */
  SEAL_PRIVATE_KEYS: z.string().min(1),
  /** Where the paper exchange is; Paper bots trade there. */
  PAPER_URL: z.url(),
  /** What proves to the paper exchange that it is we who open accounts. */
  INTERNAL_TOKEN: z.string().min(16),
  /** The addresses that exchanges see us come from, as people enter them in a key's allow-list. */
  EGRESS_ADDRESSES: z.string().optional(),
})
export type Config = z.infer<typeof Config>
