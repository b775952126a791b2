import { now } from '@tripline/kit/clock'
import { z } from 'zod'
import type { StreamWitness, VenueOrder } from '../../domain/order.ts'
import type { AccountEars, Attendance } from '../account-view/account-ears.ts'
import { type LiveSocket, type LiveSocketTiming, openLiveSocket, witnessOf } from '../live-socket.ts'
import { readFrom } from '../read-fields.ts'
import type { VenueOptions } from '../venue.ts'
import { type AccountFeed, type AccountTopics, createAccountFeed } from './account-feed.ts'
import { sourceOf } from './answers.ts'
import type { Category, Desk } from './desk.ts'
import type { OrderFinder } from './find-order.ts'
import { createOrderHub, type OrderFeed, type OrderHub } from './order-feed.ts'
import { type OrderNews, readNews } from './order-news.ts'
import { OrderRow } from './read-order.ts'
import { isBehind, watchForSilence } from './silence.ts'
import { type AskFrame, createTalk, type Frame } from './talk.ts'

/** How long a stream may take, be silent, and stay behind. */
export interface StreamTiming extends LiveSocketTiming {
  checkMs: number
  graceMs: number
}

// The venue wants a ping every 20 s, and cuts who is silent for ten minutes.
const usualTiming = { pingMs: 20_000, pongMs: 5000, checkMs: 60_000, graceMs: 1500 }
const loginMs = 10_000

const OrderRows = z.array(OrderRow)

const noTopics: AccountTopics = { subscriptions: [], read: () => [] }

/** What a stream is made of. */
export interface StreamOptions extends Pick<VenueOptions, 'streamUrl' | 'log' | 'onStream'> {
  desk: Desk
  finder: OrderFinder
  feeCoinOf: (symbol: string) => string | undefined
  /** What it is to tell besides orders, while somebody attends that. */
  topics?: AccountTopics | undefined
  /** Told of each order that it tells. */
  onOrder?: (symbol: string, order: VenueOrder) => void
  timing: Partial<StreamTiming> | undefined
}

/** What a private stream tells, for those who follow it, wait for one order, or attend the account. */
export interface PrivateStream extends OrderFeed {
  attend: (ears: AccountEars) => Attendance
  /** The last that it told of an order that is meant. */
  toldOf: OrderHub['find']
  /** The same where it has told everything since then. */
  toldNow: OrderHub['find']
  /** Since when it has told everything, and until when that is sure; undefined while there is none. */
  witness: () => StreamWitness | undefined
  /** Lets it show that it lives. */
  ping: () => void
}

/** What there is of a stream: the socket while somebody follows, and the watch while it is live. */
interface State {
  socket: LiveSocket | undefined
  isLive: boolean
  /** Since when it has told everything, by our clock. */
  toldFrom: number
  stopWatching: () => void
}

/** The account's private stream in the desk's category; connected while somebody follows or attends it. */
export function createPrivateStream(options: StreamOptions): PrivateStream {
  const timing = { ...usualTiming, ...options.timing }
  const state: State = { socket: undefined, isLive: false, toldFrom: 0, stopWatching: () => undefined }
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
      probe: () => state.socket?.ping(),
      provenAt: () => state.socket?.provenAt(),
      renew: () => state.socket?.renew('silent'),
    },
    log: options.log,
  })
  return {
    attend: account.attend,
    follow: hub.follow,
    expect: hub.expect,
    isLive: () => state.isLive,
    toldOf: hub.find,
    toldNow: (isMeant) => (state.isLive ? hub.findNow(isMeant) : undefined),
    witness: () => (state.isLive ? witnessOf(state.toldFrom, state.socket) : undefined),
    ping: () => state.socket?.ping(),
    shouldHaveTold: (order) => {
      const suspected = state.socket
      const judge = (): void => {
        if (state.isLive && isBehind(order, hub.known(order.venueOrderId))) suspected?.renew('silent')
      }
      if (state.isLive) setTimeout(judge, timing.graceMs).unref()
    },
  }
}

interface Parts {
  state: State
  hub: OrderHub
  account: AccountFeed
  options: StreamOptions
  timing: Pick<StreamTiming, 'checkMs' | 'graceMs'>
}

function earOf({ state, hub, account, options, timing: { checkMs, graceMs } }: Parts): Ear {
  const { finder, onOrder } = options
  return {
    tell: (news) => {
      onOrder?.(news.row.symbol, news.order)
      hub.tell(news)
    },
    onUnread: () => {
      state.toldFrom = now()
      hub.tellGap()
    },
    hear: account.hear,
    up: (ask) => {
      state.isLive = true
      state.toldFrom = now()
      state.stopWatching = watchForSilence({
        listOpen: async () => (await finder.listOpen()).map(({ order }) => order),
        told: hub.known,
        onSilence: () => state.socket?.renew('silent'),
        checkMs,
        graceMs,
      })
      hub.tellGap()
      account.up(ask)
    },
    down: () => {
      goDown(state)
      account.down()
    },
  }
}

function goDown(state: State): void {
  state.isLive = false
  state.stopWatching()
}

interface Ear {
  tell: (news: OrderNews) => void
  /** Something was told that cannot be read. */
  onUnread: () => void
  /** Hears what is told besides orders. */
  hear: (message: Frame) => void
  up: (ask: AskFrame) => void
  down: () => void
}

function openStream(
  { streamUrl, log, onStream, desk, feeCoinOf }: StreamOptions,
  timing: Partial<LiveSocketTiming>,
  { tell, onUnread, hear, up, down }: Ear,
): LiveSocket {
  const talk = createTalk()
  const topic = `order.${desk.category}`
  const socket = openLiveSocket({
    address: async () => {
      desk.site.refuseWhileBanned()
      return `${streamUrl}/v5/private`
    },
    greet: async (send) => {
      const ask = talk.ask(send)
      await logIn(desk, async (args) => await ask({ op: 'auth', args }))
      await ask({ op: 'subscribe', args: [topic] })
    },
    hear: (text) => {
      const frame = talk.heard(text)
      if (frame?.topic !== undefined && frame.topic !== topic) return hear(frame)
      const rows = readRows(frame, topic, desk.category)
      for (const row of rows ?? []) tell(readNews(row, feeCoinOf(row.symbol)))
      if (rows !== undefined) return
      log.warn({ topic }, 'private stream told something unreadable')
      onUnread()
    },
    onLive: () => up(talk.ask((text) => void socket.send(text))),
    onDown: down,
    onState: onStream,
    log,
    timing,
    ping: { text: '{"op":"ping"}', isPong: (text) => text.includes('"pong"') },
  })
  return socket
}

async function logIn(
  { signer, site }: Desk,
  ask: (args: readonly unknown[]) => Promise<void>,
): Promise<void> {
  try {
    await ask(signer.login(site.now() + loginMs))
  } catch (error) {
    // A login that is over before it arrives is refused as a wrong one is.
    site.measureClock().catch(() => undefined)
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
