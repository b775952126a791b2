import { readAlgoOrder, readFuturesOrder } from '../src/venue/binance/orders/futures-answers.ts'
import { readSpotOrder } from '../src/venue/binance/orders/spot-answers.ts'
import { rowsOf } from '../src/venue/bybit/answers.ts'
import { readEnvelope } from '../src/venue/bybit/envelope.ts'
import { OrderRow } from '../src/venue/bybit/orders/read-order.ts'
import { at, jsonOf, textAt } from './json-text.ts'
import type { Recorder, Seen } from './recorder.ts'

type Reader = (json: unknown) => unknown

const each =
  (read: Reader, path?: string): Reader =>
  (json) => {
    const rows = path === undefined ? json : at(json, path)
    for (const row of Array.isArray(rows) ? rows : []) read(row)
  }
const futuresOrder: Reader = (json) => readFuturesOrder(json)
const algoOrder: Reader = (json) => readAlgoOrder(json)
const spotOrder: Reader = (json) => readSpotOrder(json)
const orderRows: Reader = (json) => rowsOf(OrderRow).parse(json)

/** The production readers of a call's answers. */
const readers: Readonly<Record<string, Readonly<Record<string, Reader>>>> = {
  'binance-futures': {
    'order.post': futuresOrder,
    'order.delete': futuresOrder,
    'order.get': futuresOrder,
    'orders.list': each(futuresOrder),
    'algo.post': algoOrder,
    'algo.get': algoOrder,
    'algo.list': each(algoOrder),
    'ws.order': (json) => futuresOrder(at(json, 'result')),
    'ws.algo': (json) => algoOrder(at(json, 'result')),
  },
  'binance-spot': {
    'order.post': spotOrder,
    'order.get': spotOrder,
    // The cancel of one of a pair answers both.
    cancel: (json) =>
      (at(json, 'orderReports') === undefined ? spotOrder : each(spotOrder, 'orderReports'))(json),
    openOrders: each(spotOrder),
    oco: each(spotOrder, 'orderReports'),
    'ws.order': (json) => spotOrder(at(json, 'result')),
  },
  'bybit-linear': { 'order.realtime': orderRows, 'order.history': orderRows, 'order.create': readEnvelope },
  'bybit-spot': { 'order.realtime': orderRows, 'order.history': orderRows, 'order.create': readEnvelope },
}

/** A recorder that also reads each answer of success in the way of production, and keeps what could not be read. */
export function readAs(recorder: Recorder, venue: string): { recorder: Recorder; unread: string[] } {
  const unread: string[] = []
  const record = (seen: Seen): void => {
    recorder.record(seen)
    const read = readers[venue]?.[seen.call]
    const json = jsonOf(seen.text)
    const isRefusal =
      seen.status >= 300 || textAt(json, 'error.code') !== '' || !['', '0'].includes(textAt(json, 'retCode'))
    if (read === undefined || isRefusal) return
    try {
      read(json)
    } catch (error) {
      unread.push(
        `${seen.call} cannot be read: ${(error as Error).message.replace(/\s+/g, ' ').slice(0, 160)}`,
      )
    }
  }
  return { recorder: { ...recorder, record }, unread }
}
