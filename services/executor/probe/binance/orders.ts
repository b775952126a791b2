import type { Answer } from '../exchange.ts'
import { rowsAt, textAt } from '../json-text.ts'
import type { Run } from '../run-context.ts'
import type { BinanceWire, Fields } from './wire.ts'

/** The parts of a run that order requests need. */
interface OrderRun extends Pick<Run<never>, 'line' | 'note'> {
  wire: BinanceWire
}

/** Sends an order to this path over HTTP, and notes it before. */
export const postingTo =
  (path: string, newOrderRespType: 'RESULT' | 'FULL') =>
  async (
    { line, note, wire }: OrderRun,
    id: string,
    side: 'BUY' | 'SELL',
    fields: Fields,
    call = 'order.post',
  ): Promise<Answer> => {
    const sent = note(id)
    const common = { symbol: line.symbol, side, newClientOrderId: id, newOrderRespType }
    const answer = await wire.ask(call, 'POST', path, { ...common, ...fields })
    const orderId = textAt(answer.json, 'orderId')
    if (orderId !== '') sent.orderId = orderId
    return answer
  }

/** Asks below this path for one order, or for a list of the symbol. */
export const readingBelow =
  (root: string) =>
  async ({ line, wire }: OrderRun, call: string, path: string, fields: Fields = {}): Promise<Answer> =>
    await wire.ask(call, 'GET', `${root}/${path}`, { symbol: line.symbol, ...fields })

/** True where a list of ordinary orders reports one. */
export function hasOrder({ json }: Answer, clientId: string): boolean {
  return rowsAt(json).some((row) => textAt(row, 'clientOrderId') === clientId)
}

/** The order's id as it is written. */
export function orderIdIn({ text }: Answer): string {
  return /"orderId"\s*:\s*("?\d+"?)/.exec(text)?.[1] ?? 'none'
}
