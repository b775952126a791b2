import { add } from '@tripline/proto/decimal'
import { z } from 'zod'
import type { AccountUpdate } from '../../../domain/account/view.ts'
import { Decimal, readFrom, spare, Text, Whole } from '../../read/read-fields.ts'
import { readRows } from '../read-rows.ts'

const source = { venue: 'binance-spot', call: 'ws.outboundAccountPosition' } as const

const Update = z.object({
  u: spare('u', Whole, undefined),
  E: spare('E', Whole, 0),
  B: spare('B', z.array(z.unknown()), undefined),
})
const Balance = z.object({ a: Text, f: Decimal, l: Decimal })

/**
 * Returns the report of an outboundAccountPosition: the present amount of each coin that an event may have changed; a
 * part that cannot be read is an update of which nothing more is known.
 */
export function readSpotAccountUpdate(answer: unknown): AccountUpdate {
  const { E, u = E, B } = readFrom(source, Update, answer)
  const balances = readRows(B ?? [], (row) => readFrom(source, Balance, row))
  return {
    at: u,
    isWhole: balances.length === B?.length,
    wallets: new Map(),
    positions: balances.map(({ a, f, l }) => ({
      symbol: a,
      side: 'both',
      quantity: add(f, l),
      entryPrice: null,
      free: f,
    })),
  }
}

/**
 * Returns the update of any other event, such as a deposit or a lock from outside: that there is something to be read.
 */
export function unclearUpdate(at: number): AccountUpdate {
  return { at, isWhole: false, wallets: new Map(), positions: [] }
}
