import { spotCodes } from '../../src/venue/binance/codes.ts'
import type { Answer } from '../exchange.ts'
import { rowsAt, textAt } from '../json-text.ts'
import { eventOf, type Run } from '../run-context.ts'
import type { sharedAssumptions } from '../shared-assumptions.ts'
import { pause } from '../transport.ts'
import type { spotAssumptions } from './spot-assumptions.ts'
import type { BinanceWire, Fields } from './wire.ts'

/** What the steps at Binance spot share. */
export interface SpotRun extends Run<keyof typeof spotAssumptions | keyof typeof sharedAssumptions> {
  wire: BinanceWire
}

/** Sends an order over HTTP, and notes it before. */
export async function postOrder(
  run: SpotRun,
  id: string,
  side: 'BUY' | 'SELL',
  fields: Fields,
  call = 'order.post',
): Promise<Answer> {
  const sent = run.note(id)
  const answer = await run.wire.ask(call, 'POST', '/api/v3/order', {
    ...{ symbol: run.line.symbol, side, newClientOrderId: id, newOrderRespType: 'FULL' },
    ...fields,
  })
  const orderId = textAt(answer.json, 'orderId')
  if (orderId !== '') sent.orderId = orderId
  return answer
}

/** Asks for one order, or for a list of the symbol. */
export async function read(run: SpotRun, call: string, path: string, fields: Fields = {}): Promise<Answer> {
  return await run.wire.ask(call, 'GET', `/api/v3/${path}`, { symbol: run.line.symbol, ...fields })
}

/** Cancels an order by our id. */
export async function cancel(run: SpotRun, id: string): Promise<Answer> {
  const fields = { symbol: run.line.symbol, origClientOrderId: id }
  const answer = await run.wire.ask('cancel', 'DELETE', '/api/v3/order', fields)
  return answer
}

/** The first executionReport of an order, of a status; a cancel is told under a name of its own. */
export async function reportOf(run: SpotRun, clientId: string, status: string) {
  return await eventOf(
    run.wire.events,
    ({ json }) =>
      textAt(json, 'e') === 'executionReport' &&
      [textAt(json, 'c'), textAt(json, 'C')].includes(clientId) &&
      textAt(json, 'X') === status,
    () => pause(20, run.line.signal),
  )
}

/** What our table makes of a refusal; empty where there was none. */
export function meaning({ code, status, json }: Answer): string {
  if (code === undefined || code === 0) return ''
  return spotCodes.meaningOf({ code, text: textAt(json, 'msg'), status }).code
}

/** True where a list of orders tells of one. */
export function hasOrder({ json }: Answer, clientId: string): boolean {
  return rowsAt(json).some((row) => textAt(row, 'clientOrderId') === clientId)
}
