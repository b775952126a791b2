import type { Bus } from '@tripline/kit/bus/bus'
import { now } from '@tripline/kit/time/clock'
import type { EndedSessions } from '../access/ended-sessions.ts'
import type { Ask } from '../ask.ts'
import type { Config } from '../config.ts'
import { openEventHub } from './event-hub.ts'
import { createEventStreams, type EventStreams } from './event-streams.ts'
import { createPublicStreams, type PublicStreams } from './public-streams.ts'

/** Both kinds of live streams, of one reader of the event stream. */
export interface Streams {
  own: EventStreams
  everybody: PublicStreams
  endAll: () => void
  stop: () => void
}

interface StreamsOptions {
  bus: Bus
  ask: Ask
  ended: EndedSessions
  headers: Record<string, string>
  /** Called for each stream that is refused, since its caller or all have too many. */
  onRefused: () => void
}

/** Begins to read events for all who will listen. */
export async function openStreams(config: Config, options: StreamsOptions): Promise<Streams> {
  const hub = await openEventHub(options.bus)
  const shared = {
    hub,
    keepAliveMs: config.STREAM_KEEP_ALIVE_MS,
    unsentLimitBytes: config.STREAM_UNSENT_BYTES,
  }
  const own = createEventStreams({
    ...options,
    ...shared,
    perUser: config.STREAMS_PER_USER,
    perAddress: config.STREAMS_PER_ADDRESS,
    sessionCheckMs: config.STREAM_SESSION_CHECK_MS,
    clientCheckMs: config.STREAM_CLIENT_CHECK_MS,
  })
  const everybody = createPublicStreams({
    ...shared,
    headers: options.headers,
    onRefused: options.onRefused,
    now,
    most: config.PUBLIC_STREAMS,
    perAddress: config.PUBLIC_STREAMS_PER_ADDRESS,
    perSecond: config.PUBLIC_EVENTS_PER_SECOND,
  })
  const endAll = (): void => {
    own.endAll()
    everybody.endAll()
  }
  return { own, everybody, endAll, stop: hub.stop }
}
