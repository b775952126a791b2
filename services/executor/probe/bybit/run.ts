import { meaningOf, saysAbsent } from '../../src/venue/bybit/codes.ts'
import type { Answer } from '../exchange.ts'
import { rowsAt, textAt } from '../json-text.ts'
import { eventOf, type Run } from '../run-context.ts'
import type { sharedAssumptions } from '../shared-assumptions.ts'
import { pause } from '../transport.ts'
import type { bybitAssumptions } from './assumptions.ts'
import type { BybitWire, Fields } from './wire.ts'

/** The context of steps at Bybit. */
export interface BybitRun extends Run<keyof typeof bybitAssumptions | keyof typeof sharedAssumptions> {
  wire: BybitWire
  category: 'linear' | 'spot'
}

/** Sends an order over HTTP, and notes it before. */
export async function create(
  run: BybitRun,
  id: string,
  side: 'Buy' | 'Sell',
  fields: Fields,
  as = 'order.create',
): Promise<Answer> {
  return await run.wire.post('order.create', createFields(run, id, side, fields), { as })
}

/** The fields of an order, which is noted. */
export function createFields(run: BybitRun, id: string, side: 'Buy' | 'Sell', fields: Fields): Fields {
  const { category, line } = run
  run.note(id)
  const position = category === 'linear' ? { positionIdx: 0 } : {}
  return { category, symbol: line.symbol, side, orderLinkId: id, ...position, ...fields }
}

/** A limit order to buy, far from the market. */
export function farLimit({ size: { quantity: qty, farBuy: price } }: BybitRun, timeInForce: string): Fields {
  return { orderType: 'Limit', qty, price, timeInForce }
}

/** A market order, sized by what is bought. */
export function marketOrder({ category, size }: BybitRun, qty = size.quantity): Fields {
  return { orderType: 'Market', qty, ...(category === 'spot' && { marketUnit: 'baseCoin' }) }
}

/** Asks for orders of the symbol; one of them, or all that are open. */
export async function list(run: BybitRun, call: string, fields: Fields = {}): Promise<Answer> {
  const { category, line, wire } = run
  return await wire.get(call, { category, symbol: line.symbol, ...fields })
}

/** The row of an order in an answer. */
export function rowOf({ json }: Answer, id: string): unknown {
  return rowsAt(json, 'result.list').find((row) => textAt(row, 'orderLinkId') === id)
}

/** The row of an order as realtime shows it. */
export async function realtimeOf(run: BybitRun, id: string): Promise<unknown> {
  return rowOf(await list(run, 'order.realtime', { orderLinkId: id }), id)
}

/** The status of an order as realtime shows it; empty where it does not. */
export async function statusOf(run: BybitRun, id: string): Promise<string> {
  return textAt(await realtimeOf(run, id), 'orderStatus')
}

/** Cancels an order by our id. */
export async function cancel(run: BybitRun, id: string, orderFilter?: string): Promise<Answer> {
  const { category, line, wire } = run
  const filter = orderFilter === undefined || category === 'linear' ? {} : { orderFilter }
  return await wire.post('order.cancel', { category, symbol: line.symbol, orderLinkId: id, ...filter })
}

/** The first row of the topic `order` that reports an order in one of some statuses. */
export async function orderEvent(run: BybitRun, id: string, ...statuses: string[]): Promise<unknown> {
  const rows = (): unknown[] =>
    run.wire.events
      .filter(({ json }) => textAt(json, 'topic').startsWith('order'))
      .flatMap(({ json }) => rowsAt(json, 'data'))
  const isIt = (row: unknown): boolean =>
    textAt(row, 'orderLinkId') === id && statuses.includes(textAt(row, 'orderStatus'))
  await eventOf(
    [0],
    () => rows().some(isIt),
    () => pause(20, run.line.signal),
  )
  return rows().find(isIt)
}

/** Returns our code of a refusal; empty where there was none. */
export function meaning({ code, status, json }: Answer): string {
  if (code === undefined || code === 0) return ''
  return meaningOf({ code, status, text: textAt(json, 'retMsg') }).code
}

/** True where an answer says that an order is not there. */
export function isAbsent({ code, status }: Answer): boolean {
  return saysAbsent({ code: code ?? 0, status, text: '' })
}

/** True where an answer says that an id was used before. */
export function isDuplicate({ code }: Answer): boolean {
  return code === 110072 || code === 170141
}
