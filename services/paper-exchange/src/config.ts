import { commonSettings } from '@tripline/kit/config'
import { z } from 'zod'
import { parseFixed } from './domain/fixed.ts'
import { VALUE_SCALE } from './domain/market.ts'

const Price = z.string().transform((text, context) => {
  const price = parseFixed(text, VALUE_SCALE)
  if (price !== undefined && price > 0n) return price
  context.addIssue('must be decimals above 0')
  return z.NEVER
})

const Prices = z
  .string()
  .transform((text, context): unknown => {
    try {
      return JSON.parse(text)
    } catch {
      context.addIssue('must be JSON')
      return z.NEVER
    }
  })
  .pipe(z.record(z.string().regex(/^[A-Z0-9]{1,20}$/), Price))

/** The settings of the paper exchange. */
export const Config = z.object({
  ...commonSettings,
  /** The token of callers that may open accounts; without it that endpoint does not exist. */
  INTERNAL_TOKEN: z.string().min(16).optional(),
  /** The folder of accounts, orders and fills; without it they live as long as the process. */
  PAPER_DATA_DIR: z.string().optional(),
  /** Whether `/control` exists; local mode has it in any case. */
  PAPER_CONTROL: z.enum(['on', 'off']).default('off'),
  /**
   * Whether clients that ask more than a venue allows are refused: each address as the venues do (`on`), or each account
   * on its own (`accounts`), where all come from one address and none is to wait for another.
   */
  PAPER_LIMITS: z.enum(['on', 'accounts', 'off']).default('on'),
  /** The longest lag of reads of an account, in milliseconds; the lag of each follows from the seed. */
  PAPER_READ_LAG_MS: z.coerce.number().int().min(0).max(60_000).default(50),
  /** The interval at which prices move; 0 lets them stand still. */
  PAPER_TICK_MS: z.coerce.number().int().min(0).max(60_000).default(0),
  /** The start of the prices' random walk; the same seed gives the same prices. */
  PAPER_SEED: z.coerce.number().int().default(1),
  /** Around what prices coins move, in USDT as JSON: `{"BTC": "95000"}`; what is not named has a price of its own. */
  PAPER_PRICES: Prices.default({}),
})

export type Config = z.infer<typeof Config>
