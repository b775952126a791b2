import type { ServerResponse } from 'node:http'
import { createKeyedLimit } from '@tripline/kit/http/keyed-limit'
import { type PublicEvent, publicEventOf, publicGreeting } from '@tripline/proto/public-event'
import type { EventHub } from './event-hub.ts'
import { openSse, type SseConnection, type SseOptions, sseMessage } from './sse-connection.ts'

export interface PublicStreamOptions extends SseOptions {
  hub: EventHub
  now: () => number
  keepAliveMs: number
  /** The most that may listen at a time, from one address and from all. */
  perAddress: number
  most: number
  onRefused: () => void
  /** The most events a second, and a few alerts whole after silence; the others are left out. */
  perSecond: number
}

/** The streams of what anybody may see. */
export interface PublicStreams {
  /** Admits a caller; refuses one stream too many. Returns the function that begins. */
  admit: (address: string) => (response: ServerResponse) => void
  endAll: () => void
  /** Returns the number of listeners. */
  count: () => number
}

// A visitor sees at once what the page is about.
const shownAtFirst = 20

/** Streams of masked events, which no session is needed for. */
export function createPublicStreams(options: PublicStreamOptions): PublicStreams {
  const open = new Set<SseConnection>()
  const board = openBoard(options, open)
  const streamLimit = createKeyedLimit(
    options.perAddress,
    'public live streams from one address',
    options.onRefused,
  )
  const all = createKeyedLimit(options.most, 'public live streams', options.onRefused)
  return {
    admit: (address) => {
      const leaveAll = all.acquire('everybody')
      try {
        const leaveAddress = streamLimit.acquire(address)
        return (response) => {
          const connection = begin(response, options, board, open)
          connection.onClose(leaveAddress)
          connection.onClose(leaveAll)
        }
      } catch (error) {
        leaveAll()
        throw error
      }
    },
    endAll: () => {
      for (const connection of open) connection.end()
    },
    count: () => open.size,
  }
}

/** The events that a visitor is shown first. */
interface Board {
  lastId: () => number
  newest: readonly string[]
}

/** Sends events to all who are there, as far as is allowed, and keeps the newest. */
function openBoard({ hub, now, perSecond }: PublicStreamOptions, open: ReadonlySet<SseConnection>): Board {
  const newest: string[] = []
  const allowance = createAllowance(perSecond, now)
  let count = 0
  const deliver = (event: PublicEvent): void => {
    // Numbers of their own: those of the stream would disclose how much happens.
    const text = sseMessage(++count, event)
    newest.push(text)
    if (newest.length > shownAtFirst) newest.shift()
    for (const connection of open) connection.send(text)
  }
  hub.subscribe({
    isWanting: allowance.isLeft,
    onEvent: (event) => {
      const visible = publicEventOf(event)
      if (visible === undefined) return
      allowance.take()
      deliver(visible)
    },
  })
  return { lastId: () => count, newest }
}

function begin(
  response: ServerResponse,
  options: PublicStreamOptions,
  { lastId, newest }: Board,
  open: Set<SseConnection>,
): SseConnection {
  const connection = openSse(response, options)
  connection.send(sseMessage(lastId(), publicGreeting(options.now())))
  for (const text of newest) connection.send(text)
  open.add(connection)
  const keepAlive = setInterval(connection.keepAlive, options.keepAliveMs)
  connection.onClose(() => {
    clearInterval(keepAlive)
    open.delete(connection)
  })
  return connection
}

/** So many a second, and after a silence as many at once as are shown at first. */
function createAllowance(perSecond: number, now: () => number): { isLeft: () => boolean; take: () => void } {
  const atOnce = Math.max(perSecond, shownAtFirst)
  let left = atOnce
  let countedAt = now()
  return {
    isLeft: () => {
      const at = now()
      left = Math.min(atOnce, left + ((at - countedAt) / 1000) * perSecond)
      countedAt = at
      return left >= 1
    },
    take: () => {
      left--
    },
  }
}
