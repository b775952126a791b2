import { z } from 'zod'
import type { VenueOrder } from '../../../domain/order/order.ts'
import type { AccountListener, StreamSubscription } from '../../account/account-listener.ts'
import { readFrom } from '../../read/read-fields.ts'
import { type LiveSocket, type LiveSocketTiming, openLiveSocket } from '../../socket/live-socket.ts'
import { createPrivateStream, type PrivateStream, type StreamReceiver } from '../../stream/private-stream.ts'
import type { VenueOptions } from '../../venue.ts'
import { sourceOf } from '../answers.ts'
import type { OrderFinder } from '../orders/find-order.ts'
import { OrderRow } from '../orders/read-order.ts'
import type { Category, RestClient } from '../rest-client.ts'
import { type AccountFeed, type AccountTopics, createAccountFeed } from './account-feed.ts'
import { createReportedOrders, type OrderFeed, type ReportedOrders } from './order-feed.ts'
import { type OrderUpdate, readUpdate } from './order-update.ts'
import { isBehind, watchForSilence } from './silence.ts'
import { createSocketRequests, type Frame } from './socket-requests.ts'

/** The times that a stream may take, be silent, and stay behind. */
export interface StreamTiming extends LiveSocketTiming {
  checkMs: number
  graceMs: number
}

// The venue wants a ping every 20 s, and cuts who is silent for ten minutes.
const usualTiming = { pingMs: 20_000, pongMs: 5000, checkMs: 60_000, graceMs: 1500 }
const loginMs = 10_000

const OrderRows = z.array(OrderRow)

const noTopics: AccountTopics = { subscriptions: [], read: () => [] }

/** Options of a stream. */
export interface StreamOptions extends Pick<VenueOptions, 'streamUrl' | 'log' | 'onStream'> {
  restClient: RestClient
  finder: OrderFinder
  feeCoinOf: (symbol: string) => string | undefined
  /** The topics that it is to report besides orders, while they have subscribers. */
  topics?: AccountTopics | undefined
  /** Called with each order that it reports. */
  onOrder?: (symbol: string, order: VenueOrder) => void
  timing: Partial<StreamTiming> | undefined
}

/** A private stream's reports, for those who follow it, wait for one order, or subscribe to the account. */
export interface Following extends OrderFeed, Pick<PrivateStream<OrderUpdate>, 'witness'> {
  subscribe: (listener: AccountListener) => StreamSubscription
  /** The last that it reported on an order. */
  lastUpdateOf: ReportedOrders['find']
  /** The same where it has reported everything since then. */
  currentUpdateOf: ReportedOrders['find']
  /** Lets it show that it lives. */
  ping: () => void
}

/** The account's private stream in the REST client's category; connected while it is followed or subscribed to. */
export function createFollowing(options: StreamOptions): Following {
  const { checkMs, graceMs, ...timing } = { ...usualTiming, ...options.timing }
  const { finder, topics = noTopics, log } = options
  const orders = createReportedOrders()
  const stream: PrivateStream<OrderUpdate> = createPrivateStream<OrderUpdate>({
    open: (receiver) => openStream(options, timing, receiver, account),
    receive: orders.receive,
    watch: () =>
      watchForSilence({
        listOpen: async () => (await finder.listOpen()).map(({ order }) => order),
        known: orders.known,
        onSilence: stream.link.renew,
        ...{ checkMs, graceMs },
      }),
    onGap: orders.missSome,
    onDown: () => account.down(),
  })
  const { follow, hold, isLive, link, witness } = stream
  const account = createAccountFeed({ topics, hold, link, log })
  return {
    ...{ follow, isLive, witness, ping: link.ping, subscribe: account.subscribe },
    expect: (isMeant, isSettled) => ({
      ...stream.expect(({ order }) => isMeant(order), isSettled),
      wasLive: isLive(),
    }),
    lastUpdateOf: orders.find,
    currentUpdateOf: (ref) => (isLive() ? orders.findNow(ref) : undefined),
    reportMissedUpdate: (order) => {
      const judge = (): void => {
        if (isLive() && isBehind(order, orders.known(order.venueOrderId))) link.renew()
      }
      if (isLive()) setTimeout(judge, graceMs).unref()
    },
  }
}

function openStream(
  { streamUrl, log, onStream, onOrder, restClient, feeCoinOf }: StreamOptions,
  timing: Partial<LiveSocketTiming>,
  receiver: StreamReceiver<OrderUpdate>,
  account: AccountFeed,
): LiveSocket {
  const socketRequests = createSocketRequests()
  const topic = `order.${restClient.category}`
  const socket = openLiveSocket({
    address: async () => {
      restClient.endpoint.refuseWhileBanned()
      return `${streamUrl}/v5/private`
    },
    greet: async (send) => {
      const ask = socketRequests.send(send)
      await logIn(restClient, async (args) => await ask({ op: 'auth', args }))
      await ask({ op: 'subscribe', args: [topic] })
    },
    receive: (text) => {
      const frame = socketRequests.receive(text)
      if (frame?.topic !== undefined && frame.topic !== topic) return account.receive(frame)
      const rows = readRows(frame, topic, restClient.category)
      for (const row of rows ?? []) {
        const update = readUpdate(restClient.category, row, feeCoinOf(row.symbol))
        onOrder?.(row.symbol, update.order)
        receiver.onOrder(update)
      }
      if (rows !== undefined) return
      log.warn({ topic }, 'private stream reported something unreadable')
      receiver.onGap()
    },
    onLive: () => {
      receiver.onLive()
      account.up(socketRequests.send((text) => void socket.send(text)))
    },
    onDown: receiver.onDown,
    onState: onStream,
    log,
    timing,
    ping: { text: '{"op":"ping"}', isPong: (text) => text.includes('"pong"') },
  })
  return socket
}

async function logIn(
  { signer, endpoint }: RestClient,
  ask: (args: readonly unknown[]) => Promise<void>,
): Promise<void> {
  try {
    await ask(signer.login(endpoint.now() + loginMs))
  } catch (error) {
    // A login that is over before it arrives is refused as a wrong one is.
    void endpoint.measureClock()
    throw error
  }
}

/** The rows of orders in a frame; none in any other frame, undefined where they cannot be read. */
function readRows(frame: Frame | undefined, topic: string, category: Category): OrderRow[] | undefined {
  if (frame === undefined) return undefined
  if (frame.topic !== topic) return []
  try {
    return readFrom(sourceOf(category, 'ws.order'), OrderRows, frame['data'])
  } catch {
    return undefined
  }
}
