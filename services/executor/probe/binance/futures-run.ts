import type { Answer } from '../exchange.ts'
import { rowsAt, textAt } from '../json-text.ts'
import { eventOf, type Run } from '../run-context.ts'
import type { sharedAssumptions } from '../shared-assumptions.ts'
import { pause } from '../transport.ts'
import type { futuresAssumptions } from './futures-assumptions.ts'
import type { BinanceWire, Fields } from './wire.ts'

/** What the steps at Binance USDⓈ-M share. */
export interface FuturesRun extends Run<keyof typeof futuresAssumptions | keyof typeof sharedAssumptions> {
  wire: BinanceWire
}

/** Sends an order over HTTP, and notes it before. */
export async function postOrder(
  run: FuturesRun,
  id: string,
  side: 'BUY' | 'SELL',
  fields: Fields,
  call = 'order.post',
): Promise<Answer> {
  const sent = run.note(id)
  const { symbol } = run.line
  const answer = await run.wire.ask(call, 'POST', '/fapi/v1/order', {
    ...{ symbol, side, newClientOrderId: id, newOrderRespType: 'RESULT' },
    ...fields,
  })
  const orderId = textAt(answer.json, 'orderId')
  if (orderId !== '') sent.orderId = orderId
  return answer
}

/** A limit order to buy, far from the market. */
export function farLimit({ size: { quantity, farBuy } }: FuturesRun, timeInForce: string): Fields {
  return { type: 'LIMIT', quantity, price: farBuy, timeInForce }
}

/** Asks for one order, or for a list of the symbol. */
export async function read(
  run: FuturesRun,
  call: string,
  path: string,
  fields: Fields = {},
): Promise<Answer> {
  return await run.wire.ask(call, 'GET', `/fapi/${path}`, { symbol: run.line.symbol, ...fields })
}

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

/** True where a list of ordinary orders tells of one. */
export function hasOrder({ json }: Answer, clientId: string): boolean {
  return rowsAt(json).some((row) => textAt(row, 'clientOrderId') === clientId)
}
