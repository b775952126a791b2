import { type Bus, lastSequence } from '@tripline/kit/bus'
import { now } from '@tripline/kit/clock'
import { RefusedError } from '@tripline/kit/refused-error'
import { followStream } from '@tripline/kit/stream-follower'
import type { StreamMessage } from '@tripline/kit/stream-reader'
import { StoredEvent } from '@tripline/proto/event'
import type { UserId } from '@tripline/proto/id'
import { liveEventOf } from '@tripline/proto/live-event'
import { eventFilter } from '@tripline/proto/subject'
import { readMissed } from './missed-events.ts'
import { type Line, openRing, type Ring } from './ring.ts'
import { sseMessage } from './sse-connection.ts'

const stream = 'EVENTS'
// Who was cut off comes back within seconds, and is then served without asking the stream.
const keptMs = 60_000

/** Somebody's place in the events of a user; nothing behind it is lost until it is left. */
export interface Seat {
  /** The sequence up to which everything was seen. */
  behind: number
  /** The sequence up to which everything was passed on by now. */
  place: () => number
  /** Answers what was missed, and calls back with everything that comes after it. */
  attach: (onLine: (text: string) => void) => string[]
  leave: () => void
}

/** The event stream, read once for all who listen in this process. */
export interface EventHub {
  /** A place behind what was seen last, or at the end; throws `unavailable` while the stream cannot be read. */
  seat: (userId: UserId, lastSeen: number | undefined) => Promise<Seat>
  /** Calls back with every event while the listener wants it; it is asked before an event is even looked at. */
  listen: (listener: EventListener) => void
  stop: () => void
}

export interface EventListener {
  isWanting: () => boolean
  onEvent: (event: StoredEvent) => void
}

interface Audience {
  ring: Ring
  seats: number
  listeners: Set<(line: Line) => void>
  filling: Promise<void> | undefined
  forgetting: NodeJS.Timeout | undefined
}

interface Hub {
  bus: Bus
  audiences: Map<string, Audience>
  listeners: EventListener[]
  /** Up to where everything was passed on. */
  place: number
}

/** Begins to read the event stream at its end. */
export async function openEventHub(bus: Bus): Promise<EventHub> {
  const hub: Hub = { bus, audiences: new Map(), listeners: [], place: await lastSequence(bus, stream) }
  const reader = await followStream(bus, {
    name: stream,
    stream,
    filter: 'event.*.*',
    from: hub.place + 1,
    onMessage: (message) => {
      pass(hub, message)
      hub.place = message.sequence
    },
  })
  return {
    seat: async (userId, lastSeen) => await takeSeat(hub, userId, lastSeen),
    listen: (listener) => void hub.listeners.push(listener),
    stop: () => {
      reader.stop()
      for (const { forgetting } of hub.audiences.values()) clearTimeout(forgetting)
    },
  }
}

function pass({ bus, audiences, listeners }: Hub, message: StreamMessage): void {
  const { subject, sequence, text, traceparent } = message
  const audience = audiences.get(subject.split('.')[1] ?? '')
  const wanting = listeners.filter((listener) => listener.isWanting())
  if (audience === undefined && wanting.length === 0) return
  const event = readEvent(bus, sequence, text)
  if (event === undefined) return
  for (const { onEvent } of wanting) onEvent(event)
  if (audience === undefined) return
  const span = bus.tracing?.follow(traceparent, 'event.stream', 'producer', now())
  const line = { sequence, text: sseMessage(sequence, liveEventOf(event)) }
  audience.ring.push(line)
  for (const listener of audience.listeners) listener(line)
  span?.end({ eventId: event.eventId, listeners: audience.listeners.size })
}

async function takeSeat(hub: Hub, userId: UserId, lastSeen: number | undefined): Promise<Seat> {
  if (!hub.bus.isConnected()) throw unavailable()
  const audience = enter(hub, userId)
  const leave = leaveOnce(hub, userId, audience)
  try {
    const behind = lastSeen === undefined ? hub.place : await knownPlace(hub, lastSeen)
    while (!audience.ring.covers(behind)) await fill(hub, userId, audience, behind)
    return {
      behind,
      place: () => hub.place,
      attach: (onLine) => attach(audience, behind, onLine, leave),
      leave: leave.now,
    }
  } catch (error) {
    leave.now()
    throw unavailable(error)
  }
}

/** An id beyond the end was given by a stream that no longer exists; another gateway may be ahead of this one. */
async function knownPlace({ bus, place }: Hub, lastSeen: number): Promise<number> {
  if (lastSeen <= place) return lastSeen
  return lastSeen <= (await lastSequence(bus, stream)) ? lastSeen : place
}

function attach(
  { ring, listeners }: Audience,
  behind: number,
  onLine: (text: string) => void,
  leave: Leaving,
): string[] {
  const listener = ({ sequence, text }: Line): void => {
    if (sequence > behind) onLine(text)
  }
  listeners.add(listener)
  leave.before(() => listeners.delete(listener))
  return ring.behind(behind).map(({ text }) => text)
}

function enter({ audiences, place }: Hub, userId: UserId): Audience {
  const fresh = (): Audience => ({
    ring: openRing(place),
    seats: 0,
    listeners: new Set(),
    filling: undefined,
    forgetting: undefined,
  })
  const audience = audiences.get(userId) ?? fresh()
  audiences.set(userId, audience)
  clearTimeout(audience.forgetting)
  audience.seats++
  return audience
}

interface Leaving {
  before: (act: () => void) => void
  now: () => void
}

function leaveOnce({ audiences }: Hub, userId: UserId, audience: Audience): Leaving {
  const acts: (() => void)[] = []
  let hasLeft = false
  return {
    before: (act) => void acts.push(act),
    now: () => {
      if (hasLeft) return
      hasLeft = true
      for (const act of acts) act()
      audience.seats--
      if (audience.seats > 0) return
      audience.forgetting = setTimeout(() => audiences.delete(userId), keptMs).unref()
    },
  }
}

/** Reads what the ring was not told of, once for all who wait for it. */
async function fill({ bus }: Hub, userId: UserId, audience: Audience, behind: number): Promise<void> {
  const read = async (): Promise<void> => {
    const upTo = audience.ring.coveredFrom()
    const missed = await readMissed(bus, { filter: eventFilter(userId), behind, upTo })
    const older = missed.flatMap(({ sequence, text }) => {
      const event = readEvent(bus, sequence, text)
      return event === undefined ? [] : [{ sequence, text: sseMessage(sequence, liveEventOf(event)) }]
    })
    audience.ring.prepend(behind, older)
  }
  audience.filling ??= read().finally(() => {
    audience.filling = undefined
  })
  await audience.filling
}

function readEvent(bus: Bus, sequence: number, text: string): StoredEvent | undefined {
  try {
    return StoredEvent.parse(JSON.parse(text))
  } catch (error) {
    bus.log.error({ err: error, sequence }, 'event not understood')
    return undefined
  }
}

function unavailable(cause?: unknown): RefusedError {
  return new RefusedError('unavailable', 'Live events are not available, please try again', { cause })
}
