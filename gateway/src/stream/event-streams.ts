import type { ServerResponse } from 'node:http'
import { createKeyedLimit } from '@tripline/kit/http/keyed-limit'
import { RefusedError } from '@tripline/kit/refused-error'
import { type AccessClaims, getUser } from '@tripline/proto/auth-request'
import { keepAliveOf, type LiveEvent } from '@tripline/proto/live-event'
import type { EndedSessions } from '../access/ended-sessions.ts'
import type { Ask } from '../ask.ts'
import { connectedBots } from '../bot-diagnosis.ts'
import type { EventHub, Seat } from './event-hub.ts'
import { openSse, type SseConnection, type SseOptions, sseMessage } from './sse-connection.ts'

export interface EventStreamOptions extends SseOptions {
  hub: EventHub
  ask: Ask
  ended: EndedSessions
  /** The most that may listen at a time, of one user and from one address. */
  perUser: number
  perAddress: number
  onRefused: () => void
  keepAliveMs: number
  sessionCheckMs: number
  clientCheckMs: number
}

/** A stream that may begin; `begin` takes over the response. */
export interface AdmittedStream {
  begin: (response: ServerResponse) => void
}

/** The streams of live events that browsers listen to. */
export interface EventStreams {
  /** Admits a session at an address that saw everything up to an id; refuses an ended session and one stream too many. */
  admit: (session: AccessClaims, address: string, lastSeen: number | undefined) => Promise<AdmittedStream>
  endAll: () => void
  /** Returns the number of listeners. */
  count: () => number
}

/** Streams of live events, each of which ends with its session. */
export function createEventStreams(options: EventStreamOptions): EventStreams {
  const { hub, ask, perUser, perAddress, onRefused } = options
  const streamLimit = createKeyedLimit(perUser, 'live streams', onRefused)
  const ofAddresses = createKeyedLimit(perAddress, 'live streams from one address', onRefused)
  const open = new Set<SseConnection>()
  return {
    admit: async (session, address, lastSeen) => {
      const releaseStream = streamLimit.acquire(session.sub)
      let leaveAddress: (() => void) | undefined
      let seat: Seat | undefined
      const leave = (): void => {
        seat?.leave()
        leaveAddress?.()
        releaseStream()
      }
      try {
        leaveAddress = ofAddresses.acquire(address)
        const taken = await hub.seat(session.sub, lastSeen)
        seat = taken
        if (await hasEnded(ask, session)) {
          throw new RefusedError('unauthorized', 'Please log in again to continue')
        }
        return { begin: (response) => run(options, session, taken, enter(response, leave)) }
      } catch (error) {
        leave()
        throw error
      }
    },
    endAll: () => {
      for (const connection of open) connection.end()
    },
    count: () => open.size,
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

function run(
  { ask, ended, keepAliveMs, sessionCheckMs, clientCheckMs }: EventStreamOptions,
  session: AccessClaims,
  seat: Seat,
  connection: SseConnection,
): void {
  // Under the id of the place, so that a browser that is cut off before the first event misses nothing either.
  connection.send(sseMessage(seat.behind, connected()))
  for (const text of seat.attach(connection.send)) connection.send(text)
  connection.onClose(ended.onEnd(session.sid, connection.end))
  if (ended.has(session.sid)) connection.end()
  const keepAlive = setInterval(connection.keepAlive, keepAliveMs)
  const check = setInterval(async () => {
    if (await hasEnded(ask, session)) connection.end()
  }, sessionCheckMs)
  const clients = setInterval(async () => {
    const event = keepAliveOf(await connectedBots(ask, session.sub), Date.now())
    if (event !== undefined) connection.send(sseMessage(seat.position(), event))
  }, clientCheckMs)
  connection.onClose(() => {
    for (const timer of [keepAlive, check, clients]) clearInterval(timer)
  })
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
