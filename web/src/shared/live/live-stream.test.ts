import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals'
import type { LiveEvent } from '@tripline/proto/live-event'
import { keepNewest } from './live-lines.ts'
import { createLiveStream, type LivePosition } from './live-stream.ts'

beforeEach(() => {
  jest.useFakeTimers()
})
afterEach(() => {
  jest.useRealTimers()
})

const event = (message: string): LiveEvent => ({
  timestamp: '2026-01-02T03:04:05.006Z',
  type: 'webhook',
  message,
})
const numbered = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => event(String(from + index)))
const written = (from: number, to: number) =>
  numbered(from, to)
    .map((each) => `id: ${each.message}\ndata: ${JSON.stringify(each)}\n\n`)
    .join('')

/** A stream over a server that counts who is connected, and that the test writes. */
function startStream(earlier?: LivePosition) {
  const open = new Set<ReadableStreamDefaultController<Uint8Array>>()
  const askedAfter: (string | undefined)[] = []
  const stream = createLiveStream(
    async (lastEventId, signal) => {
      askedAfter.push(lastEventId)
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => {
          open.add(controller)
          signal.addEventListener('abort', () => {
            open.delete(controller)
            controller.error(signal.reason)
          })
        },
      })
      return new Response(body)
    },
    () => undefined,
    earlier,
  )
  const write = (text: string) => {
    // As the network brings it: in pieces that end anywhere.
    const bytes = new TextEncoder().encode(text)
    for (let at = 0; at < bytes.length; at += 10_007) {
      for (const controller of open) controller.enqueue(bytes.slice(at, at + 10_007))
    }
  }
  const cut = () => {
    for (const controller of open) controller.close()
    open.clear()
  }
  return { stream, open, askedAfter, write, cut }
}

const messages = (events: readonly LiveEvent[]) => events.map(({ message }) => message)
const upTo = (from: number, to: number) => messages(numbered(from, to))

describe('the live stream', () => {
  test('is one connection for all listeners, and closed when the last one leaves', async () => {
    const { stream, open, askedAfter } = startStream()
    const leave = [
      stream.subscribe(() => undefined),
      stream.subscribe(() => undefined),
      stream.subscribeToEvents(() => undefined),
    ]
    await jest.advanceTimersByTimeAsync(0)
    expect(open.size).toBe(1)
    expect(stream.state()).toEqual({ phase: 'live' })
    for (const each of leave) each()
    await jest.advanceTimersByTimeAsync(60_000)
    expect(open.size).toBe(0)
    expect(askedAfter).toHaveLength(1)
  })

  test('leaves no connection behind after being looked at 50 times', async () => {
    const { stream, open } = startStream()
    for (let times = 0; times < 50; times++) {
      const leave = stream.subscribe(() => undefined)
      await jest.advanceTimersByTimeAsync(times % 2)
      leave()
    }
    await jest.advanceTimersByTimeAsync(60_000)
    expect(open.size).toBe(0)
    expect(jest.getTimerCount()).toBe(0)
  })

  test('hands on a burst of 10,000 events with none lost or doubled, and keeps the last 200', async () => {
    const { stream, write } = startStream()
    const received: LiveEvent[] = []
    let changes = 0
    stream.subscribeToEvents((events) => received.push(...events))
    stream.subscribe(() => changes++)
    await jest.advanceTimersByTimeAsync(0)
    changes = 0
    write(written(0, 10_000))
    await jest.advanceTimersByTimeAsync(100)
    expect(messages(received)).toEqual(upTo(0, 10_000))
    expect(messages(stream.lines().map((line) => line.event))).toEqual(upTo(9800, 10_000))
    expect(changes).toBeLessThan(100)
  })

  test('goes on behind the last event after a break, so that none is lost or doubled', async () => {
    const { stream, askedAfter, write, cut } = startStream()
    stream.subscribe(() => undefined)
    await jest.advanceTimersByTimeAsync(0)
    write(written(0, 150))
    await jest.advanceTimersByTimeAsync(20)
    cut()
    await jest.advanceTimersByTimeAsync(1000)
    expect(askedAfter).toEqual([undefined, '149'])
    write(written(150, 180))
    await jest.advanceTimersByTimeAsync(20)
    expect(messages(stream.lines().map((line) => line.event))).toEqual(upTo(0, 180))
  })

  test('goes on where the page before was, with its events', async () => {
    const before = startStream()
    before.stream.subscribe(() => undefined)
    await jest.advanceTimersByTimeAsync(0)
    expect(before.stream.position()).toBeUndefined()
    before.write(written(0, 3))
    await jest.advanceTimersByTimeAsync(20)
    const { stream, askedAfter, write } = startStream(before.stream.position())
    stream.subscribe(() => undefined)
    await jest.advanceTimersByTimeAsync(0)
    expect(askedAfter).toEqual(['2'])
    write(written(3, 5))
    await jest.advanceTimersByTimeAsync(20)
    expect(messages(stream.lines().map((line) => line.event))).toEqual(upTo(0, 5))
  })

  test('leaves a place behind the events that were shown, not those that were about to be', async () => {
    const { stream, write } = startStream()
    stream.subscribe(() => undefined)
    await jest.advanceTimersByTimeAsync(0)
    write(written(0, 3))
    await jest.advanceTimersByTimeAsync(20)
    write(written(3, 5))
    await jest.advanceTimersByTimeAsync(0)
    expect(stream.position()).toEqual({ lastEventId: '2', events: numbered(0, 3) })
  })

  test('calls a listener that has left no more', async () => {
    const { stream, write } = startStream()
    const received: LiveEvent[] = []
    stream.subscribe(() => undefined)
    const leave = stream.subscribeToEvents((events) => received.push(...events))
    await jest.advanceTimersByTimeAsync(0)
    write(written(0, 1))
    await jest.advanceTimersByTimeAsync(20)
    leave()
    write(written(1, 2))
    await jest.advanceTimersByTimeAsync(20)
    expect(messages(received)).toEqual(['0'])
  })
})

test('of more than 200 lines the newest stay, each with its own number', () => {
  const first = keepNewest([], numbered(0, 150), 1)
  const lines = keepNewest(first, numbered(150, 250), 2)
  expect(messages(lines.map((line) => line.event))).toEqual(upTo(50, 250))
  expect(new Set(lines.map(({ number }) => number)).size).toBe(200)
})
