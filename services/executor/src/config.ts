import { busSettings, commonSettings } from '@tripline/kit/config'
import { traceSettings } from '@tripline/kit/telemetry/trace'
import { z } from 'zod'
import { AddressBook } from './venue/addresses.ts'

const VenueAddresses = z
  .string()
  .default('{}')
  .transform((text, context): unknown => {
    try {
      return JSON.parse(text)
    } catch {
      context.addIssue('must be JSON')
      return z.NEVER
    }
  })
  .pipe(AddressBook)

/** The settings of the executor. */
export const Config = z.object({
  ...commonSettings,
  ...busSettings,
  ...traceSettings,
  /** Postgres, as the role of the schema `executor`. */
  DATABASE_URL: z.string().min(1),
  /** The private keys that exchange credentials were sealed to. */
  SEAL_PRIVATE_KEYS: z.string().min(1),
  /** Paper exchange's address; Paper bots trade there. */
  PAPER_URL: z.url(),
  /** Venue of the bots of Binance and Bybit: their exchange, or the paper exchange for all of them. */
  TRIPLINE_VENUES: z.enum(['live', 'paper']).default('live'),
  /** Addresses of venues that differ from the usual ones, as JSON: `{"binance_spot": {"testnet": {"rest": "https://…"}}}`. */
  VENUE_ADDRESSES: VenueAddresses,
  /** Whether orders go over sockets, where the exchange has them and it measures faster. */
  ORDER_SOCKETS: z.enum(['on', 'off']).default('on'),
  /** Whether it publishes that alerts wait, by which intake refuses some while more come than are executed. */
  ADMISSION: z.enum(['on', 'off']).default('on'),
  /** Secret that proves to the paper exchange that we open accounts. */
  INTERNAL_TOKEN: z.string().min(16),
  /** The addresses that exchanges see us come from, as people enter them in a key's allow-list. */
  EGRESS_ADDRESSES: z.string().optional(),
  /** Most blocks of one user that sleep in a `wait` at once, and most characters of all alerts that do. */
  MAX_HELD_WAITS_PER_USER: z.coerce.number().int().min(1).default(50),
  MAX_HELD_WAIT_CHARACTERS: z.coerce.number().int().min(1).default(64_000_000),
  /** Number of one user's watched resting orders and groups from which no further entry may rest. */
  MAX_RESTING_PER_USER: z.coerce.number().int().min(1).default(1000),
})
export type Config = z.infer<typeof Config>
