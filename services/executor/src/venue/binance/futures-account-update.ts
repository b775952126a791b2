import { DecimalText } from '@tripline/proto/decimal'
import { z } from 'zod'
import type { AccountNews } from '../../domain/account-view.ts'
import { PositionSideWord, sideOf } from './futures-position.ts'

const Update = z.object({
  m: z.string(),
  B: z.array(z.object({ a: z.string(), wb: DecimalText })).default([]),
  P: z
    .array(
      z.object({
        s: z.string(),
        pa: DecimalText,
        ep: DecimalText,
        ps: PositionSideWord.default('BOTH'),
      }),
    )
    .default([]),
})

// After these the venue tells all that changed: funding of a crossed position changes no position. What else a transfer,
// an adjustment or a change of margin does to an account is not documented.
const wholeReasons = ['ORDER', 'FUNDING_FEE']

/** What an ACCOUNT_UPDATE (`a`) tells of the moment it was made at. */
export function readAccountUpdate(answer: unknown, at: number): AccountNews {
  const { m, B, P } = Update.parse(answer)
  return {
    at,
    isWhole: wholeReasons.includes(m),
    wallets: new Map(B.map(({ a, wb }) => [a, wb])),
    positions: P.map(({ s, pa, ep, ps }) => ({
      symbol: s,
      side: sideOf(ps),
      quantity: pa,
      entryPrice: ep,
    })),
  }
}
