import type { LiveEvent } from '@tripline/proto/live-event'
import { type Connect, followEvents, type LiveState } from './follow-events.ts'
import { keepNewest, type LiveLine } from './live-lines.ts'

/** One connection for all who look at the live events, open while anybody does. */
export interface LiveStream {
  /** Keeps the stream open and calls back on every change, until the returned function is called. */
  watch: (onChange: () => void) => () => void
  /** The same, with the events that came, in their order, each once. */
  listen: (onEvents: (events: readonly LiveEvent[]) => void) => () => void
  /** The newest events, oldest first; the same array until one comes. */
  lines: () => readonly LiveLine[]
  state: () => LiveState
}

// About one frame, so that a burst is drawn once.
const batchMs = 16

/** A stream that is opened by `connect` when the first one looks and closed when the last one leaves. */
export function createLiveStream(connect: Connect, onFailure: (cause: unknown) => void): LiveStream {
  const watchers = new Set<() => void>()
  const listeners = new Set<(events: readonly LiveEvent[]) => void>()
  let lines: readonly LiveLine[] = []
  let state: LiveState = { phase: 'connecting' }
  let closing: AbortController | undefined

  function tell() {
    for (const watcher of watchers) watcher()
  }
  function take(events: readonly LiveEvent[]) {
    lines = keepNewest(lines, events)
    for (const listener of listeners) listener(events)
    tell()
  }
  function onState(next: LiveState) {
    state = next
    tell()
  }
  function open() {
    closing = new AbortController()
    const onEvent = batched(take, closing.signal)
    void followEvents(connect, { onEvent, onState, onFailure }, closing.signal)
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
    watch: (onChange) => join(watchers, onChange),
    listen: (onEvents) => join(listeners, onEvents),
    lines: () => lines,
    state: () => state,
  }
}

/** Hands on what comes within a frame at once; nothing after the stop. */
function batched(take: (events: LiveEvent[]) => void, stop: AbortSignal): (event: LiveEvent) => void {
  let waiting: LiveEvent[] = []
  return (event) => {
    waiting.push(event)
    if (waiting.length > 1) return
    setTimeout(() => {
      const events = waiting
      waiting = []
      if (!stop.aborted) take(events)
    }, batchMs)
  }
}
