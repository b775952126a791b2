import type { Bus } from '@tripline/kit/bus/bus'
import { lastSequence } from '@tripline/kit/bus/stream-end'
import { followStream } from '@tripline/kit/bus/stream-follower'
import type { StreamMessage } from '@tripline/kit/bus/stream-reader'
import { RefusedError } from '@tripline/kit/refused-error'
import { now } from '@tripline/kit/time/clock'
import { eventsIn, type StoredEvent } from '@tripline/proto/event'
import type { UserId } from '@tripline/proto/id'
import { liveEventOf } from '@tripline/proto/live-event'
import { eventFilter } from '@tripline/proto/subject'
import { readMissed } from './missed-events.ts'
import { type Line, openRing, positionsOf, type Ring } from './ring.ts'
import { sseMessage } from './sse-connection.ts'

const stream = 'EVENTS'
// A browser that was cut off comes back within seconds, and is then served without asking the stream.
const audienceMs = 60_000

/** Somebody's place in the events of a user; nothing behind it is lost until it is left. */
export interface Seat {
  /** Up to where everything was seen. */
  behind: number
  /** Up to where everything was passed on by now. */
  position: () => number
  /** Returns the missed events, and calls back with everything that comes after them. */
  attach: (onLine: (text: string) => void) => string[]
  leave: () => void
}

/** The event stream, read once for all who listen in this process. */
export interface EventHub {
  /** A place behind what was seen last, or at the end; throws `unavailable` while the stream cannot be read. */
  seat: (userId: UserId, lastSeen: number | undefined) => Promise<Seat>
  /** Calls back with every event while the listener wants it; it is asked before an event is even looked at. */
  subscribe: (listener: EventListener) => void
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
  position: number
}

/** Begins to read the event stream at its end. */
export async function openEventHub(bus: Bus): Promise<EventHub> {
  const hub: Hub = { bus, audiences: new Map(), listeners: [], position: await lastSequence(bus, stream) }
  const reader = await followStream(bus, {
    name: stream,
    stream,
    filter: 'event.*.*',
    from: hub.position + 1,
    onMessage: (message) => {
      pass(hub, message)
      hub.position = message.sequence
    },
  })
  return {
    seat: async (userId, lastSeen) => await takeSeat(hub, userId, lastSeen),
    subscribe: (listener) => void hub.listeners.push(listener),
    stop: () => {
      reader.stop()
      for (const { forgetting } of hub.audiences.values()) clearTimeout(forgetting)
    },
  }
}

function pass({ bus, audiences, listeners }: Hub, message: StreamMessage): void {
  const audience = audiences.get(message.subject.split('.')[1] ?? '')
  if (audience === undefined && !listeners.some(({ isWanting }) => isWanting())) return
  for (const { event, position } of readEvents(bus, message)) {
    for (const { isWanting, onEvent } of listeners) if (isWanting()) onEvent(event)
    if (audience !== undefined) deliver(bus, audience, message, { event, position })
  }
}

function deliver(
  { tracing }: Bus,
  audience: Audience,
  { traceparent }: StreamMessage,
  { event, position }: NumberedEvent,
): void {
  const span = tracing?.follow(traceparent, 'event.stream', 'producer', now())
  const line = lineOf({ event, position })
  audience.ring.push(line)
  for (const listener of audience.listeners) listener(line)
  span?.end({ eventId: event.eventId, listeners: audience.listeners.size })
}

async function takeSeat(hub: Hub, userId: UserId, lastSeen: number | undefined): Promise<Seat> {
  if (!hub.bus.isConnected()) throw unavailable()
  const audience = enter(hub, userId)
  const leave = leaveOnce(hub, userId, audience)
  try {
    const behind = lastSeen === undefined ? hub.position : await knownPosition(hub, lastSeen)
    while (!audience.ring.covers(behind)) await fill(hub, userId, audience, behind)
    return {
      behind,
      position: () => hub.position,
      attach: (onLine) => attach(audience, behind, onLine, leave),
      leave: leave.now,
    }
  } catch (error) {
    leave.now()
    throw unavailable(error)
  }
}

/** An id beyond the end was given by a stream that no longer exists; another gateway may be ahead of this one. */
async function knownPosition({ bus, position }: Hub, lastSeen: number): Promise<number> {
  if (lastSeen <= position) return lastSeen
  return lastSeen <= (await lastSequence(bus, stream)) ? lastSeen : position
}

function attach(
  { ring, listeners }: Audience,
  behind: number,
  onLine: (text: string) => void,
  leave: Leaving,
): string[] {
  const listener = ({ position, text }: Line): void => {
    if (position > behind) onLine(text)
  }
  listeners.add(listener)
  leave.before(() => listeners.delete(listener))
  return ring.behind(behind).map(({ text }) => text)
}

function enter({ audiences, position }: Hub, userId: UserId): Audience {
  const fresh = (): Audience => ({
    ring: openRing(position),
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
      audience.forgetting = setTimeout(() => audiences.delete(userId), audienceMs).unref()
    },
  }
}

/** Reads the events that the ring lacks, once for all who wait for them. */
async function fill({ bus }: Hub, userId: UserId, audience: Audience, behind: number): Promise<void> {
  const read = async (): Promise<void> => {
    const upTo = audience.ring.coveredFrom()
    // A message of which a part was seen is read as a whole.
    const from = Math.floor(behind)
    const missed = await readMissed(bus, { filter: eventFilter(userId), behind: from, upTo })
    audience.ring.prepend(from, missed.flatMap((message) => readEvents(bus, message)).map(lineOf))
  }
  audience.filling ??= read().finally(() => {
    audience.filling = undefined
  })
  await audience.filling
}

interface NumberedEvent extends Pick<Line, 'position'> {
  event: StoredEvent
}

function lineOf({ event, position }: NumberedEvent): Line {
  return { position, text: sseMessage(position, liveEventOf(event)) }
}

function readEvents(bus: Bus, { sequence, text }: StreamMessage): NumberedEvent[] {
  const parts = eventsIn(text)
  const positions = positionsOf(sequence, parts.length)
  return parts.flatMap(({ event, fault }, index) => {
    if (event !== undefined) return [{ event, position: positions[index] ?? sequence }]
    bus.log.error({ sequence, index, fault }, 'event not understood')
    return []
  })
}

function unavailable(cause?: unknown): RefusedError {
  return new RefusedError('unavailable', 'Live events are not available, please try again', { cause })
}
