import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals'
import { followingValues, newKeyValues } from '../../web/src/features/api-keys/key-values.ts'
import { withFilter } from '../../web/src/features/executions/execution-filter.ts'
import { redirectTarget } from '../../web/src/features/session/redirect-target.ts'
import { readPublicEvent } from '../../web/src/landing/activity-lines.ts'
import { followActivity } from '../../web/src/landing/follow-activity.ts'
import { followEvents, type LivePhase } from '../../web/src/shared/live/follow-events.ts'

test('4: "Changing any filter resets the offset to 0"', () => {
  const shown = new URLSearchParams({ offset: '40', exchange: 'bybit' })
  expect(withFilter(shown, 'symbol', 'BTCUSDT').toString()).toBe('exchange=bybit&symbol=BTCUSDT')
})

test.each([
  ['binance', 'futures_usdt'],
  ['okx', 'futures'],
  ['bybit', 'futures'],
])(
  '4: "changing the exchange resets the market type to that exchange\'s first option": %s, %s',
  (exchange, market) => {
    const values = { ...newKeyValues(), exchange, market_type: 'spot' }
    expect(followingValues({ exchange }, values).market_type).toBe(market)
  },
)

test('2, login: "whether and how login reads [redirect] is not shown": it leads there, and to no other site', () => {
  const origin = 'https://tripline.example'
  expect(redirectTarget('?redirect=%2Fexecutions%3Fsymbol%3DBTCUSDT', origin)).toBe(
    '/executions?symbol=BTCUSDT',
  )
  expect(redirectTarget('?redirect=https%3A%2F%2Fexample.org%2F', origin)).toBe('/dashboard')
})

/** Lets the given time pass, and everything that becomes due in it. */
const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms)

describe('streams', () => {
  beforeEach(() => {
    jest.useFakeTimers()
  })
  afterEach(() => {
    jest.useRealTimers()
  })

  /** A server of streams, which may be down or hang, and all that was asked of it. */
  function startServer() {
    const server = {
      mood: 'well' as 'well' | 'down' | 'hanging',
      asked: [] as { url: string; accept: string | null; authorization: string | null }[],
      streams: [] as ReadableStreamDefaultController<Uint8Array>[],
      answer: async (request: Request): Promise<Response> => {
        const { headers, url, signal } = request
        server.asked.push({ url, accept: headers.get('accept'), authorization: headers.get('authorization') })
        if (server.mood === 'down') return new Response('', { status: 503 })
        if (server.mood === 'hanging')
          return await new Promise((_resolve, reject) => {
            signal.addEventListener('abort', () => reject(signal.reason))
          })
        const body = new ReadableStream<Uint8Array>({
          start: (stream) => {
            server.streams.push(stream)
            signal.addEventListener('abort', () => stream.error(signal.reason))
          },
        })
        return new Response(body)
      },
    }
    return server
  }

  describe('4, authenticated event stream (terminal)', () => {
    function follow() {
      const server = startServer()
      const states: LivePhase[] = []
      const failures: unknown[] = []
      const messages: string[] = []
      const leaving = new AbortController()
      void followEvents(
        (_lastEventId, signal) =>
          server.answer(new Request('http://localhost/api/events/stream', { signal })),
        {
          onEvent: ({ message }) => messages.push(message),
          onPhase: (state) => states.push(state),
          onFailure: (cause) => failures.push(cause),
        },
        leaving.signal,
      )
      return { server, states, failures, messages, leaving }
    }

    test('"connecting, then live on a successful response"', async () => {
      const { states, leaving } = follow()
      await pass(0)
      expect(states).toEqual([{ phase: 'connecting' }, { phase: 'live' }])
      leaving.abort()
    })

    test('"On error or close it goes to reconnecting with exponential backoff (1 s doubled per attempt, capped at 30 s)"', async () => {
      const { server, states, failures, leaving } = follow()
      await pass(0)
      server.mood = 'down'
      server.streams[0]?.close()
      await pass(0)
      for (const [index, seconds] of [1, 2, 4, 8, 16, 30, 30].entries()) {
        expect(states.at(-1)).toEqual({ phase: 'reconnecting', attempt: index + 1 })
        await pass(seconds * 1000 - 1)
        expect(server.asked).toHaveLength(index + 1)
        await pass(1)
        expect(server.asked).toHaveLength(index + 2)
      }
      expect(failures).toContainEqual(new Error('Failed to connect to event stream'))
      leaving.abort()
    })

    test('"the attempt counter resets to 0 on success"', async () => {
      const { server, states, leaving } = follow()
      await pass(0)
      server.streams[0]?.close()
      await pass(1000)
      expect(states.at(-1)).toEqual({ phase: 'live' })
      server.streams[1]?.close()
      await pass(0)
      expect(states.at(-1)).toEqual({ phase: 'reconnecting', attempt: 1 })
      leaving.abort()
    })

    test('"If no data or keep-alive comment arrives for 60 s the connection is forced closed and reconnected"', async () => {
      const { server, states, leaving } = follow()
      await pass(50_000)
      server.streams[0]?.enqueue(new TextEncoder().encode(': keep-alive\n\n'))
      await pass(55_000)
      expect(states.at(-1)).toEqual({ phase: 'live' })
      await pass(5000)
      expect(states.at(-1)).toEqual({ phase: 'reconnecting', attempt: 1 })
      leaving.abort()
    })

    test('7: "lines starting with data: carry a JSON event", "Unparseable event lines are ignored silently"', async () => {
      const { server, messages, failures, leaving } = follow()
      await pass(0)
      const event = { timestamp: '2026-01-02T03:04:05.006Z', type: 'webhook', message: 'received' }
      const lines = ['data: {not json', 'data: {"type":"unheard of"}', `data: ${JSON.stringify(event)}`]
      server.streams[0]?.enqueue(new TextEncoder().encode(`${lines.join('\n\n')}\n\n`))
      await pass(0)
      expect([messages, failures]).toEqual([['received'], []])
      leaving.abort()
    })

    test('"On leaving the screen everything is cancelled"', async () => {
      const { leaving } = follow()
      await pass(0)
      leaving.abort()
      await pass(0)
      expect(jest.getTimerCount()).toBe(0)
    })
  })

  describe('4 and 7, public live stream (landing)', () => {
    const realFetch = globalThis.fetch
    afterEach(() => {
      globalThis.fetch = realFetch
    })

    function follow() {
      const server = startServer()
      globalThis.fetch = async (path, options) =>
        await server.answer(new Request(new URL(String(path), 'http://localhost'), options))
      const states: boolean[] = []
      const leaving = new AbortController()
      const onState = (isLive: boolean) => states.push(isLive)
      void followActivity({ onState, onText: () => undefined }, leaving.signal)
      return { server, states, leaving }
    }

    test('"time-stamp query parameter; no authentication; Accept text/event-stream"', async () => {
      const { server, leaving } = follow()
      await pass(0)
      expect(server.asked).toEqual([
        {
          url: expect.stringMatching(/^http:\/\/localhost\/api\/events\/public-stream\?t=\d+$/),
          accept: 'text/event-stream',
          authorization: null,
        },
      ])
      leaving.abort()
    })

    test('"connecting, then live once the connection opens. It returns to connecting on a read error or end"', async () => {
      const { server, states, leaving } = follow()
      await pass(0)
      expect(states).toEqual([false, true])
      server.streams[0]?.close()
      await pass(0)
      expect(states.at(-1)).toBe(false)
      leaving.abort()
    })

    test('7: "Unparseable event lines are ignored silently"', () => {
      expect(['{not json', '{"type":"webhook"}'].map(readPublicEvent)).toEqual([undefined, undefined])
    })

    test('"a failed connection retries after 5 seconds"', async () => {
      const { server, leaving } = follow()
      await pass(0)
      server.mood = 'down'
      server.streams[0]?.close()
      await pass(4999)
      expect(server.asked).toHaveLength(1)
      await pass(1)
      expect(server.asked).toHaveLength(2)
      await pass(5000)
      expect(server.asked).toHaveLength(3)
      leaving.abort()
    })

    test('"30 s connect timeout"', async () => {
      const { server, leaving } = follow()
      server.mood = 'hanging'
      server.streams[0]?.close()
      await pass(5000)
      expect(server.asked).toHaveLength(2)
      await pass(30_000 + 4999)
      expect(server.asked).toHaveLength(2)
      await pass(1)
      expect(server.asked).toHaveLength(3)
      leaving.abort()
    })
  })
})
