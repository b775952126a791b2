import { z } from 'zod'
import type { VenueOrder } from '../../../domain/order/order.ts'
import { causeOf } from '../../http/refusal.ts'
import type { RestClient } from '../../http/rest-client.ts'
import { noteDrift } from '../../read/drift.ts'
import { readFrom, spare, Text, Whole } from '../../read/read-fields.ts'
import { type LiveSocket, openLiveSocket } from '../../socket/live-socket.ts'
import type { VenueOptions } from '../../venue.ts'
import type { Endpoint } from '../endpoint.ts'
import { asTriggered } from '../orders/futures-answers.ts'
import { listenKeyPath } from '../rest-dialect.ts'
import { eventIn } from './event-in.ts'
import type { StreamListener } from './following.ts'
import { readAccountUpdate } from './futures-account-update.ts'
import { readAlgoUpdate, readFuturesUpdate } from './futures-update.ts'

// A key is valid for an hour.
const keepAliveMs = 30 * 60_000

const ListenKey = z.object({ listenKey: z.string().min(1) })
const Event = z.object({
  e: Text,
  // Text in listenKeyExpired until 2026-05-12.
  E: spare('E', Whole, 0),
  T: spare('T', Whole, undefined),
  o: z.unknown().optional(),
  a: z.unknown().optional(),
})
type Event = z.output<typeof Event>

// Each trade is reported as an order as well, with all that is read of it.
const duplicate = '{"e":"TRADE_LITE"'

const source = { venue: 'binance-futures', call: 'ws' } as const
const kinds = new Set([
  'ACCOUNT_UPDATE',
  'ACCOUNT_CONFIG_UPDATE',
  'ALGO_UPDATE',
  'ORDER_TRADE_UPDATE',
  // Separated from these as well.
  'TRADE_LITE',
  'CONDITIONAL_ORDER_TRIGGER_REJECT',
  'MARGIN_CALL',
  'STRATEGY_UPDATE',
  'GRID_UPDATE',
])

/** The private stream of a USDⓈ-M account: what happens to its orders, ordinary and conditional ones, and to what it has. */
export function openFuturesStream(
  options: VenueOptions,
  { isBanned, refuseWhileBanned }: Pick<Endpoint, 'isBanned' | 'refuseWhileBanned'>,
  { ask }: Pick<RestClient, 'ask'>,
  listener: StreamListener,
): LiveSocket {
  const askKey = async (method: 'POST' | 'PUT'): Promise<unknown> => {
    refuseWhileBanned()
    return await ask({ method, path: listenKeyPath, fields: {} })
  }
  const receive = createEventListener(listener)
  const socket = openLiveSocket({
    address: async () => {
      const { listenKey } = ListenKey.parse(await askKey('POST'))
      return `${options.streamUrl}/private/ws/${listenKey}`
    },
    greet: async () => undefined,
    receive: (text) => {
      if (text.startsWith(duplicate)) return
      try {
        const event = readFrom(source, Event, eventIn(text))
        if (event.e === 'listenKeyExpired') socket.renew('its key is over')
        else receive(event)
      } catch (error) {
        options.log.warn({ cause: causeOf(error) }, 'unreadable event on a private stream')
        listener.onGap()
      }
    },
    onLive: listener.onLive,
    onDown: listener.onDown,
    onState: options.onStream,
    log: options.log,
  })
  const prolonging = setInterval(() => {
    // A ban is over before the key is.
    if (isBanned()) return
    askKey('PUT').catch((error) => socket.renew(causeOf(error)))
  }, options.timing?.keepAliveMs ?? keepAliveMs)
  return {
    ...socket,
    stop: () => {
      clearInterval(prolonging)
      socket.stop()
    },
  }
}

// Algo orders of which much may still be reported.
const mostAlgos = 1000

/** Receives orders, and reports what a conditional order became under the id that it was placed with. */
function createEventListener({ onOrder, onAccount, onSettings }: StreamListener): (event: Event) => void {
  const algosByChild = new Map<string, VenueOrder>()
  const remember = (childId: string, algo: VenueOrder): void => {
    algosByChild.set(childId, algo)
    const [oldest] = algosByChild.keys()
    if (algosByChild.size > mostAlgos && oldest !== undefined) algosByChild.delete(oldest)
  }
  return (event) => {
    const { e, E, T = E, o, a } = event
    if (!kinds.has(e)) noteDrift(source, 'e', e, event)
    if (e === 'ACCOUNT_UPDATE') onAccount(() => readAccountUpdate(a, T))
    if (e === 'ACCOUNT_CONFIG_UPDATE') onSettings()
    if (e === 'ALGO_UPDATE') {
      const { order, symbol, childId } = readAlgoUpdate(o, E)
      if (childId !== undefined) remember(childId, order)
      onOrder({ symbol, order, fill: undefined })
    }
    if (e === 'ORDER_TRADE_UPDATE') {
      const update = readFuturesUpdate(o, T)
      const childId = update.order.venueOrderId
      const algo = algosByChild.get(childId)
      if (algo === undefined) onOrder(update)
      else onOrder({ ...update, order: asTriggered(algo, update.order), childId })
    }
  }
}
