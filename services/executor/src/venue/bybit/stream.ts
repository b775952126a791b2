import { z } from 'zod'
import { type LiveSocket, type LiveSocketTiming, openLiveSocket } from '../live-socket.ts'
import type { VenueOptions } from '../venue.ts'
import type { Desk } from './desk.ts'
import type { OrderFinder } from './find-order.ts'
import { createOrderHub, type OrderFeed, type OrderHub } from './order-feed.ts'
import { type OrderNews, readNews } from './order-news.ts'
import { OrderRow } from './read-order.ts'
import { isBehind, watchForSilence } from './silence.ts'

/** How long a stream may take, be silent, and stay behind. */
export interface StreamTiming extends LiveSocketTiming {
  checkMs: number
  graceMs: number
}

// The venue wants a ping every 20 s, and cuts who is silent for ten minutes.
const usualTiming = { pingMs: 20_000, pongMs: 5000, checkMs: 60_000, graceMs: 1500 }
const loginMs = 10_000

/** What a stream is made of. */
export interface StreamOptions extends Pick<VenueOptions, 'streamUrl' | 'log' | 'onStream'> {
  desk: Desk
  finder: OrderFinder
  feeCoinOf: (symbol: string) => string | undefined
  timing: Partial<StreamTiming> | undefined
}

/** What there is of a stream: the socket while somebody follows, and the watch while it is live. */
interface State {
  socket: LiveSocket | undefined
  isLive: boolean
  stopWatching: () => void
}

/** The account's private stream of orders in the desk's category; connected while somebody follows it. */
export function createOrderFeed(options: StreamOptions): OrderFeed {
  const timing = { ...usualTiming, ...options.timing }
  const state: State = { socket: undefined, isLive: false, stopWatching: () => undefined }
  const hub = createOrderHub(
    () => {
      state.socket = openStream(options, timing, earOf(state, hub, options, timing))
    },
    () => {
      state.socket?.stop()
      goDown(state)
    },
    () => state.isLive,
  )
  return {
    follow: hub.follow,
    expect: hub.expect,
    isLive: () => state.isLive,
    shouldHaveTold: (order) => {
      const suspected = state.socket
      const judge = (): void => {
        if (state.isLive && isBehind(order, hub.known(order.venueOrderId))) suspected?.renew('silent')
      }
      if (state.isLive) setTimeout(judge, timing.graceMs).unref()
    },
  }
}

function earOf(
  state: State,
  hub: OrderHub,
  { finder }: StreamOptions,
  { checkMs, graceMs }: Pick<StreamTiming, 'checkMs' | 'graceMs'>,
): Ear {
  return {
    tell: hub.tell,
    onUnread: hub.tellGap,
    up: () => {
      state.isLive = true
      state.stopWatching = watchForSilence({
        listOpen: async () => (await finder.listOpen()).map(({ order }) => order),
        told: hub.known,
        onSilence: () => state.socket?.renew('silent'),
        checkMs,
        graceMs,
      })
      hub.tellGap()
    },
    down: () => goDown(state),
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
  up: () => void
  down: () => void
}

function openStream(
  { streamUrl, log, onStream, desk, feeCoinOf }: StreamOptions,
  timing: Partial<LiveSocketTiming>,
  { tell, onUnread, up, down }: Ear,
): LiveSocket {
  const talk = createTalk()
  const topic = `order.${desk.category}`
  return openLiveSocket({
    address: async () => {
      desk.site.refuseWhileBanned()
      return `${streamUrl}/v5/private`
    },
    greet: async (send) => {
      await logIn(desk, async (args) => await talk.ask(send, { op: 'auth', args }))
      await talk.ask(send, { op: 'subscribe', args: [topic] })
    },
    hear: (text) => {
      const rows = readRows(talk.heard(text), topic)
      for (const row of rows ?? []) tell(readNews(row, feeCoinOf(row.symbol)))
      if (rows !== undefined) return
      log.warn({ topic }, 'private stream told something unreadable')
      onUnread()
    },
    onLive: up,
    onDown: down,
    onState: onStream,
    log,
    timing,
    ping: { text: '{"op":"ping"}', isPong: (text) => text.includes('"pong"') },
  })
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

const Frame = z.looseObject({ op: z.string().optional(), topic: z.string().optional() })
type Frame = z.infer<typeof Frame>

/** The rows of orders in a frame; none in any other frame, undefined where they cannot be read. */
function readRows(frame: Frame | undefined, topic: string): OrderRow[] | undefined {
  if (frame === undefined) return undefined
  if (frame.topic !== topic) return []
  const read = z.array(OrderRow).safeParse(frame['data'])
  return read.success ? read.data : undefined
}

interface Talk {
  /** Sends a frame and settles with the answer to it; throws where the venue refuses it. */
  ask: (send: (text: string) => void, frame: { op: string; args: readonly unknown[] }) => Promise<void>
  /** Hears a frame, and passes it on; undefined where it is none. */
  heard: (text: string) => Frame | undefined
}

/** The questions and answers on a socket, of which one is asked at a time. */
function createTalk(): Talk {
  const asked = new Map<string, (isDone: boolean) => void>()
  return {
    ask: async (send, frame) => {
      const answered = new Promise<boolean>((resolve) => asked.set(frame.op, resolve))
      send(JSON.stringify(frame))
      if (!(await answered)) throw new Error(`${frame.op} refused`)
    },
    heard: (text) => {
      const frame = readFrame(text)
      if (frame?.op !== undefined) asked.get(frame.op)?.(frame['success'] === true)
      return frame
    },
  }
}

function readFrame(text: string): Frame | undefined {
  try {
    return Frame.parse(JSON.parse(text))
  } catch {
    return undefined
  }
}
