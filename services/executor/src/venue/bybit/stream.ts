import { now } from '@tripline/kit/time/clock'
import { z } from 'zod'
import type { StreamWitness, VenueOrder } from '../../domain/order/order.ts'
import type { AccountListener, StreamSubscription } from '../account/account-listener.ts'
import { readFrom } from '../read/read-fields.ts'
import { type LiveSocket, type LiveSocketTiming, openLiveSocket, witnessOf } from '../socket/live-socket.ts'
import type { VenueOptions } from '../venue.ts'
import { type AccountFeed, type AccountTopics, createAccountFeed } from './account-feed.ts'
import { sourceOf } from './answers.ts'
import type { OrderFinder } from './find-order.ts'
import { createOrderHub, type OrderFeed, type OrderHub } from './order-feed.ts'
import { type OrderNews, readNews } from './order-news.ts'
import { OrderRow } from './read-order.ts'
import type { Category, RestClient } from './rest-client.ts'
import { isBehind, watchForSilence } from './silence.ts'
import { type AskFrame, createSocketRequests, type Frame } from './socket-requests.ts'

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
  /** The topics that it is to report besides orders, while somebody subscribes to them. */
  topics?: AccountTopics | undefined
  /** Called with each order that it reports. */
  onOrder?: (symbol: string, order: VenueOrder) => void
  timing: Partial<StreamTiming> | undefined
}

/** A private stream's reports, for those who follow it, wait for one order, or subscribe to the account. */
export interface PrivateStream extends OrderFeed {
  subscribe: (listener: AccountListener) => StreamSubscription
  /** The last that it reported on an order that is meant. */
  lastUpdateOf: OrderHub['find']
  /** The same where it has reported everything since then. */
  currentUpdateOf: OrderHub['find']
  /** Since when it has reported everything, and until when that is sure; undefined while there is none. */
  witness: () => StreamWitness | undefined
  /** Lets it show that it lives. */
  ping: () => void
}

/** The parts of a stream: the socket while somebody follows, and the watch while it is live. */
interface PrivateStreamState {
  socket: LiveSocket | undefined
  isLive: boolean
  /** Since when it has reported everything, by our clock. */
  updatesSince: number
  stopWatching: () => void
}

/** The account's private stream in the REST client's category; connected while it is followed or subscribed to. */
export function createPrivateStream(options: StreamOptions): PrivateStream {
  const timing = { ...usualTiming, ...options.timing }
  const state: PrivateStreamState = {
    socket: undefined,
    isLive: false,
    updatesSince: 0,
    stopWatching: () => undefined,
  }
  const hub = createOrderHub(
    () => {
      state.socket = openStream(options, timing, earOf({ state, hub, account, options, timing }))
    },
    () => {
      state.socket?.stop()
      goDown(state)
      account.down()
    },
    () => state.isLive,
  )
  const account = createAccountFeed({
    topics: options.topics ?? noTopics,
    hold: () => hub.follow(() => undefined),
    link: {
      ping: () => state.socket?.ping(),
      verifiedUntil: () => state.socket?.verifiedUntil(),
      renew: () => state.socket?.renew('silent'),
    },
    log: options.log,
  })
  return {
    subscribe: account.subscribe,
    follow: hub.follow,
    expect: hub.expect,
    isLive: () => state.isLive,
    lastUpdateOf: hub.find,
    currentUpdateOf: (isMeant) => (state.isLive ? hub.findNow(isMeant) : undefined),
    witness: () => (state.isLive ? witnessOf(state.updatesSince, state.socket) : undefined),
    ping: () => state.socket?.ping(),
    reportMissedUpdate: (order) => {
      const suspected = state.socket
      const judge = (): void => {
        if (state.isLive && isBehind(order, hub.known(order.venueOrderId))) suspected?.renew('silent')
      }
      if (state.isLive) setTimeout(judge, timing.graceMs).unref()
    },
  }
}

interface Parts {
  state: PrivateStreamState
  hub: OrderHub
  account: AccountFeed
  options: StreamOptions
  timing: Pick<StreamTiming, 'checkMs' | 'graceMs'>
}

function earOf({ state, hub, account, options, timing: { checkMs, graceMs } }: Parts): Ear {
  const { finder, onOrder } = options
  return {
    publish: (news) => {
      onOrder?.(news.row.symbol, news.order)
      hub.publish(news)
    },
    onUnread: () => {
      state.updatesSince = now()
      hub.publishGap()
    },
    receive: account.receive,
    up: (ask) => {
      state.isLive = true
      state.updatesSince = now()
      state.stopWatching = watchForSilence({
        listOpen: async () => (await finder.listOpen()).map(({ order }) => order),
        known: hub.known,
        onSilence: () => state.socket?.renew('silent'),
        checkMs,
        graceMs,
      })
      hub.publishGap()
      account.up(ask)
    },
    down: () => {
      goDown(state)
      account.down()
    },
  }
}

function goDown(state: PrivateStreamState): void {
  state.isLive = false
  state.stopWatching()
}

interface Ear {
  publish: (news: OrderNews) => void
  /** Something was reported that cannot be read. */
  onUnread: () => void
  /** Receives what is reported besides orders. */
  receive: (message: Frame) => void
  up: (ask: AskFrame) => void
  down: () => void
}

function openStream(
  { streamUrl, log, onStream, restClient, feeCoinOf }: StreamOptions,
  timing: Partial<LiveSocketTiming>,
  { publish, onUnread, receive, up, down }: Ear,
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
      if (frame?.topic !== undefined && frame.topic !== topic) return receive(frame)
      const rows = readRows(frame, topic, restClient.category)
      for (const row of rows ?? []) publish(readNews(row, feeCoinOf(row.symbol)))
      if (rows !== undefined) return
      log.warn({ topic }, 'private stream reported something unreadable')
      onUnread()
    },
    onLive: () => up(socketRequests.send((text) => void socket.send(text))),
    onDown: down,
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
