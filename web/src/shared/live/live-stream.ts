import type { LiveEvent } from '@tripline/proto/live-event'
import { type Connect, followEvents, type LivePhase } from './follow-events.ts'
import { keepNewest, type LiveLine } from './live-lines.ts'

/** One connection for all who look at the live events, open while anybody does. */
export interface LiveStream {
  /** Keeps the stream open and calls back on every change, until the returned function is called. */
  subscribe: (onChange: () => void) => () => void
  /** The same, with the events that came, in their order, each once. */
  subscribeToEvents: (onEvents: (events: readonly LiveEvent[]) => void) => () => void
  /** The newest events, oldest first; the same array until one comes. */
  lines: () => readonly LiveLine[]
  state: () => LivePhase
  /**
   * The position for a new page, so that it shows what this one does and misses nothing; undefined before the first
   * event.
   */
  position: () => LivePosition | undefined
}

/** A page's position in the live events. */
export interface LivePosition {
  /** The id of the newest event, behind which the stream goes on. */
  lastEventId: string
  /** The newest events, oldest first. */
  events: readonly LiveEvent[]
}

// About one frame, so that a burst is drawn once.
const batchMs = 16

/**
 * A stream that is opened by `connect` when the first one looks and closed when the last one leaves; it goes on behind the
 * place of an earlier page where there is one.
 */
export function createLiveStream(
  connect: Connect,
  onFailure: (cause: unknown) => void,
  earlier?: LivePosition,
): LiveStream {
  const watchers = new Set<() => void>()
  const listeners = new Set<(events: readonly LiveEvent[]) => void>()
  let lines: readonly LiveLine[] = keepNewest([], earlier?.events ?? [], Date.now())
  let lastEventId = earlier?.lastEventId
  let state: LivePhase = { phase: 'connecting' }
  let closing: AbortController | undefined

  function notify() {
    for (const watcher of watchers) watcher()
  }
  function take(came: readonly Arrival[]) {
    const events = came.map(({ event }) => event)
    lines = keepNewest(lines, events, Date.now())
    lastEventId = came.at(-1)?.lastEventId ?? lastEventId
    for (const listener of listeners) listener(events)
    notify()
  }
  function onPhase(next: LivePhase) {
    state = next
    notify()
  }
  function open() {
    closing = new AbortController()
    const onEvent = batched(take, closing.signal)
    void followEvents(connect, { onEvent, onPhase, onFailure }, closing.signal, lastEventId)
  }
  function join<T>(group: Set<T>, one: T): () => void {
    group.add(one)
    if (closing === undefined) open()
    return () => {
      group.delete(one)
      if (watchers.size + listeners.size > 0) return
      closing?.abort()
      closing = undefined
    }
  }
  return {
    subscribe: (onChange) => join(watchers, onChange),
    subscribeToEvents: (onEvents) => join(listeners, onEvents),
    lines: () => lines,
    state: () => state,
    position: () =>
      lastEventId === undefined ? undefined : { lastEventId, events: lines.map(({ event }) => event) },
  }
}

interface Arrival {
  event: LiveEvent
  lastEventId: string | undefined
}

/** Hands on what comes within a frame at once; nothing after the stop. */
function batched(
  take: (came: Arrival[]) => void,
  stop: AbortSignal,
): (event: LiveEvent, lastEventId: string | undefined) => void {
  let waiting: Arrival[] = []
  return (event, lastEventId) => {
    waiting.push({ event, lastEventId })
    if (waiting.length > 1) return
    setTimeout(() => {
      const came = waiting
      waiting = []
      if (!stop.aborted) take(came)
    }, batchMs)
  }
}
