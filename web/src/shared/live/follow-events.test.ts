import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals'
import type { LiveEvent } from '@tripline/proto/live-event'
import { followEvents, type LivePhase } from './follow-events.ts'

beforeEach(() => {
  jest.useFakeTimers()
})
afterEach(() => {
  jest.useRealTimers()
})

const line = (id: number, message: string) =>
  `id: ${id}\ndata: ${JSON.stringify({ timestamp: '2026-01-02T03:04:05.006Z', type: 'webhook', message })}\n\n`

/** A stream that the test writes, and that breaks when its request is aborted. */
function openStream(signal: AbortSignal) {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined
  const body = new ReadableStream<Uint8Array>({
    start: (started) => {
      controller = started
      signal.addEventListener('abort', () => started.error(signal.reason))
    },
  })
  return {
    answer: new Response(body),
    write: (text: string) => controller?.enqueue(new TextEncoder().encode(text)),
    end: () => controller?.close(),
  }
}

/** Follows a server that answers every request with an open stream, or refuses while it is down. */
function followServer({ isDown = false } = {}) {
  const server = { isDown, asked: [] as (string | undefined)[] }
  const streams: ReturnType<typeof openStream>[] = []
  const states: LivePhase[] = []
  const events: LiveEvent[] = []
  const failures: unknown[] = []
  const stop = new AbortController()
  const ended = followEvents(
    async (lastEventId, signal) => {
      server.asked.push(lastEventId)
      if (server.isDown) return new Response('', { status: 503 })
      const stream = openStream(signal)
      streams.push(stream)
      return stream.answer
    },
    {
      onEvent: (event) => events.push(event),
      onPhase: (state) => states.push(state),
      onFailure: (cause) => failures.push(cause),
    },
    stop.signal,
  )
  return { server, streams, states, events, failures, stop, ended }
}

/** Lets the given time pass, and everything that becomes due in it. */
const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms)

describe('following the live events', () => {
  test('goes live on a successful answer and hands on every event, also one that comes in pieces', async () => {
    const { streams, states, events, stop } = followServer()
    await pass(0)
    expect(states).toEqual([{ phase: 'connecting' }, { phase: 'live' }])
    const text = `: keep-alive\n\n${line(1, 'one')}${line(2, 'two')}`
    streams[0]?.write(text.slice(0, 70))
    streams[0]?.write(text.slice(70))
    await pass(0)
    expect(events.map(({ message }) => message)).toEqual(['one', 'two'])
    stop.abort()
  })

  test('passes over messages that it cannot read', async () => {
    const { streams, events, failures, stop } = followServer()
    await pass(0)
    streams[0]?.write(`data: {not json\n\ndata: {"type":"unheard of"}\n\n${line(3, 'three')}`)
    await pass(0)
    expect(events.map(({ message }) => message)).toEqual(['three'])
    expect(failures).toEqual([])
    stop.abort()
  })

  test('waits 1, 2, 4, 8, 16, 30 and again 30 seconds while the server refuses, and counts the attempts', async () => {
    const { server, states, failures, stop } = followServer({ isDown: true })
    await pass(0)
    const waits = [1, 2, 4, 8, 16, 30, 30]
    for (const [index, seconds] of waits.entries()) {
      await pass(seconds * 1000 - 1)
      expect(server.asked).toHaveLength(index + 1)
      expect(states.at(-1)).toEqual({ phase: 'reconnecting', attempt: index + 1 })
      await pass(1)
      expect(server.asked).toHaveLength(index + 2)
    }
    expect(failures[0]).toEqual(new Error('Failed to connect to event stream'))
    stop.abort()
  })

  test('starts counting anew after a success, and asks for missed events', async () => {
    const { server, streams, states, stop } = followServer()
    await pass(0)
    streams[0]?.write(line(41, 'last seen'))
    await pass(0)
    server.isDown = true
    streams[0]?.end()
    await pass(1000)
    expect(states.at(-1)).toEqual({ phase: 'reconnecting', attempt: 2 })
    server.isDown = false
    await pass(2000)
    expect(states.at(-1)).toEqual({ phase: 'live' })
    expect(server.asked.at(-1)).toBe('41')
    streams[1]?.end()
    await pass(0)
    expect(states.at(-1)).toEqual({ phase: 'reconnecting', attempt: 1 })
    stop.abort()
  })

  test('gives a connection up when nothing was received for 60 seconds, keep-alives counting as received', async () => {
    const { server, streams, states, stop } = followServer()
    await pass(0)
    for (let passedS = 0; passedS < 120; passedS += 15) {
      await pass(15_000)
      streams[0]?.write(': keep-alive\n\n')
    }
    await pass(59_000)
    expect(states.at(-1)).toEqual({ phase: 'live' })
    await pass(1000)
    expect(states.at(-1)).toEqual({ phase: 'reconnecting', attempt: 1 })
    await pass(1000)
    expect(server.asked).toHaveLength(2)
    expect(states.at(-1)).toEqual({ phase: 'live' })
    stop.abort()
  })

  test.each([0, 500])(
    'leaves nothing running when it is stopped %d ms after a break',
    async (sinceBreakMs) => {
      const { streams, server, stop, ended } = followServer()
      await pass(0)
      streams[0]?.end()
      await pass(sinceBreakMs)
      stop.abort()
      await ended
      expect(jest.getTimerCount()).toBe(0)
      expect(server.asked).toHaveLength(1)
    },
  )

  test('leaves nothing running when it is stopped while live', async () => {
    const { failures, stop, ended } = followServer()
    await pass(0)
    stop.abort()
    await ended
    expect(jest.getTimerCount()).toBe(0)
    expect(failures).toEqual([])
  })
})
