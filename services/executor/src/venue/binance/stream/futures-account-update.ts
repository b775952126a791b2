import { z } from 'zod'
import type { AccountUpdate } from '../../../domain/account/view.ts'
import { Decimal, readFrom, spare, Text } from '../../read/read-fields.ts'
import { PositionSide, sideOf } from '../account/futures-position.ts'
import { readRows } from '../read-rows.ts'

const source = { venue: 'binance-futures', call: 'ws.ACCOUNT_UPDATE' } as const

const rows = z.array(z.unknown())
const Update = z.object({
  m: spare('m', Text, ''),
  B: spare('B', rows, []),
  P: spare('P', rows, []),
})
const Balance = z.object({ a: Text, wb: Decimal })
const Position = z.object({ s: Text, pa: Decimal, ep: Decimal, ps: PositionSide })

// After these the venue reports all that changed: funding of a crossed position changes no position. Other effects of a
// transfer, an adjustment or a change of margin on an account are not documented.
const wholeReasons = ['ORDER', 'FUNDING_FEE']

/**
 * Returns the report of an ACCOUNT_UPDATE (`a`) on the moment it was made at; a part that cannot be read is an update of
 * which nothing more is known.
 */
export function readAccountUpdate(answer: unknown, at: number): AccountUpdate {
  const { m, B, P } = readFrom(source, Update, answer)
  const balances = readRows(B, (row) => readFrom(source, Balance, row))
  const positions = readRows(P, (row) => readFrom(source, Position, row))
  return {
    at,
    isWhole: wholeReasons.includes(m) && balances.length === B.length && positions.length === P.length,
    wallets: new Map(balances.map(({ a, wb }) => [a, wb])),
    positions: positions.map(({ s, pa, ep, ps }) => ({
      symbol: s,
      side: sideOf(ps),
      quantity: pa,
      entryPrice: ep,
    })),
  }
}
