import { textAt } from '../json-text.ts'
import { eventOf, type Run } from '../run-context.ts'
import type { sharedAssumptions } from '../shared-assumptions.ts'
import { pause } from '../transport.ts'
import type { futuresAssumptions } from './futures-assumptions.ts'
import { postingTo, readingBelow } from './orders.ts'
import type { BinanceWire, Fields } from './wire.ts'

/** The context of steps at Binance USDⓈ-M. */
export interface FuturesRun extends Run<keyof typeof futuresAssumptions | keyof typeof sharedAssumptions> {
  wire: BinanceWire
}

/** Sends an order over HTTP, and notes it before. */
export const postOrder = postingTo('/fapi/v1/order', 'RESULT')

/** A limit order to buy, far from the market. */
export function farLimit({ size: { quantity, farBuy } }: FuturesRun, timeInForce: string): Fields {
  return { type: 'LIMIT', quantity, price: farBuy, timeInForce }
}

/** Asks for one order, or for a list of the symbol. */
export const read = readingBelow('/fapi')

/** The first ORDER_TRADE_UPDATE of an order, of a status. */
export async function updateOf(run: FuturesRun, clientId: string, status: string, withinMs?: number) {
  return await eventOf(
    run.wire.events,
    ({ json }) =>
      textAt(json, 'e') === 'ORDER_TRADE_UPDATE' &&
      textAt(json, 'o.c') === clientId &&
      textAt(json, 'o.X') === status,
    () => pause(20, run.line.signal),
    withinMs,
  )
}
