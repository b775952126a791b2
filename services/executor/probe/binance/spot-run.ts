import { spotCodes } from '../../src/venue/binance/codes.ts'
import type { Answer } from '../exchange.ts'
import { textAt } from '../json-text.ts'
import { eventOf, type Run } from '../run-context.ts'
import type { sharedAssumptions } from '../shared-assumptions.ts'
import { pause } from '../transport.ts'
import { postingTo, readingBelow } from './orders.ts'
import type { spotAssumptions } from './spot-assumptions.ts'
import type { BinanceWire } from './wire.ts'

/** The context of steps at Binance spot. */
export interface SpotRun extends Run<keyof typeof spotAssumptions | keyof typeof sharedAssumptions> {
  wire: BinanceWire
}

/** Sends an order over HTTP, and notes it before. */
export const postOrder = postingTo('/api/v3/order', 'FULL')

/** Asks for one order, or for a list of the symbol. */
export const read = readingBelow('/api/v3')

/** Cancels an order by our id. */
export async function cancel(run: SpotRun, id: string): Promise<Answer> {
  const fields = { symbol: run.line.symbol, origClientOrderId: id }
  const answer = await run.wire.ask('cancel', 'DELETE', '/api/v3/order', fields)
  return answer
}

/** The first executionReport of an order, of a status; a cancel is reported under a name of its own. */
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

/** Returns our code of a refusal; empty where there was none. */
export function meaning({ code, status, json }: Answer): string {
  if (code === undefined || code === 0) return ''
  return spotCodes.meaningOf({ code, text: textAt(json, 'msg'), status }).code
}
