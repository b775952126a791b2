import type { ServerResponse } from 'node:http'
import type { Bus } from '@tripline/kit/bus'
import { RefusedError } from '@tripline/kit/refused-error'
import { type AccessClaims, getUser } from '@tripline/proto/auth-request'
import type { LiveEvent } from '@tripline/proto/live-event'
import type { EndedSessions } from '../access/ended-sessions.ts'
import type { Ask } from '../ask.ts'
import { feedEvents, standingPlace } from './event-feed.ts'
import { createPlaces } from './places.ts'
import { openSse, type SseConnection, type SseOptions } from './sse-connection.ts'

export interface EventStreamOptions extends SseOptions {
  bus: Bus
  ask: Ask
  ended: EndedSessions
  perUser: number
  keepAliveMs: number
  sessionCheckMs: number
}

/** A stream that may begin; `begin` takes over the response. */
export interface AdmittedStream {
  begin: (response: ServerResponse) => Promise<void>
}

/** The streams of live events that browsers listen to. */
export interface EventStreams {
  /** Admits a session that saw everything up to an id; refuses an ended session and one stream too many. */
  admit: (session: AccessClaims, lastSeen: number | undefined) => Promise<AdmittedStream>
  endAll: () => void
}

/** Streams of live events, each of which ends with its session. */
export function createEventStreams(options: EventStreamOptions): EventStreams {
  const { bus, ask, perUser } = options
  const places = createPlaces(perUser, 'live streams')
  const open = new Set<SseConnection>()
  return {
    admit: async (session, lastSeen) => {
      const leave = places.take(session.sub)
      try {
        const behind = await standingPlace(bus, lastSeen)
        if (await hasEnded(ask, session)) {
          throw new RefusedError('unauthorized', 'Please log in again to continue')
        }
        return { begin: async (response) => await run(options, session, behind, enter(response, leave)) }
      } catch (error) {
        leave()
        throw error
      }
    },
    endAll: () => {
      for (const connection of open) connection.end()
    },
  }

  function enter(response: ServerResponse, leave: () => void): SseConnection {
    const connection = openSse(response, options)
    open.add(connection)
    connection.onClose(() => {
      open.delete(connection)
      leave()
    })
    return connection
  }
}

async function run(
  { bus, ask, ended, keepAliveMs, sessionCheckMs }: EventStreamOptions,
  session: AccessClaims,
  behind: number,
  connection: SseConnection,
): Promise<void> {
  // Under the id of the place, so that a browser that is cut off before the first event misses nothing either.
  connection.send(behind, connected())
  connection.onClose(ended.onEnd(session.sid, connection.end))
  const keepAlive = setInterval(connection.keepAlive, keepAliveMs)
  const check = setInterval(async () => {
    if (await hasEnded(ask, session)) connection.end()
  }, sessionCheckMs)
  connection.onClose(() => {
    clearInterval(keepAlive)
    clearInterval(check)
  })
  try {
    const stop = await feedEvents(bus, { userId: session.sub, behind, onEvent: connection.send })
    if (connection.isOpen()) connection.onClose(stop)
    else stop()
  } catch (error) {
    bus.log.warn({ err: error }, 'could not read events for a browser')
    connection.end()
  }
}

function connected(): LiveEvent {
  return { timestamp: new Date().toISOString(), type: 'connected', message: 'Connected' }
}

/** True when auth says so; while auth is away a session goes on. */
async function hasEnded(ask: Ask, session: AccessClaims): Promise<boolean> {
  try {
    await ask(getUser, { userId: session.sub, sessionId: session.sid })
    return false
  } catch (error) {
    return error instanceof RefusedError && error.code === 'unauthorized'
  }
}
