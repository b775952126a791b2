import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { ExecutionEvent } from './event.ts'
import { PublicEvent, publicEventOf, publicGreeting } from './public-event.ts'

const ids = {
  eventId: '01KAJ000000000000000000000-0.0.finished',
  userId: '0193f5a0-0000-7000-8000-00000000ada0',
  alertId: '01KAJ000000000000000000000',
  executionId: '01KAJ000000000000000000000-0',
  botId: '0193f5a0-0000-7000-8000-0000000000b1',
}
const at = Date.UTC(2026, 10, 21, 12, 0, 7, 321)
const place = { ...ids, at, label: 'MyBot', exchange: 'bybit', symbol: 'BTCUSDT' }
const command = { ...place, command: 0, type: 'market' }
const order = { ...command, clientOrderId: 't1', side: 'buy', quantity: '0.125' }
const outcome = { command: 'market', result: null, errorCode: null, error: null, executionTimeMs: 12.6 }

const seen = (event: object): PublicEvent | undefined => publicEventOf(ExecutionEvent.parse(event))

describe('the public part of an event', () => {
  test('is the type, command, venue, symbol, side, duration and outcome, and the second', () => {
    const acknowledged = { venueOrderId: '42', filled: '0.125', averagePrice: '60000.5', roundTripMs: 3.4 }
    expect(seen({ kind: 'order.acknowledged', ...order, ...acknowledged })).toEqual({
      timestamp: '2026-11-21T12:00:07.000Z',
      type: 'exchange',
      message: 'market buy BTCUSDT acknowledged',
      details: {
        command: 'market',
        exchange: 'bybit',
        symbol: 'BTCUSDT',
        side: 'buy',
        phase: 'acknowledged',
        execution_time_ms: 3,
      },
    })
  })

  test.each([
    [{ kind: 'command.started', ...command }, 'command', 'market BTCUSDT started'],
    [
      { kind: 'command.finished', ...command, outcome: { ...outcome, status: 'success' } },
      'command',
      'market BTCUSDT success',
    ],
    [
      { kind: 'command.finished', ...command, outcome: { ...outcome, status: 'failed' } },
      'error',
      'market BTCUSDT failed',
    ],
    [{ kind: 'command.unknown', ...command, cause: 'secret cause' }, 'error', 'market BTCUSDT unknown'],
    [
      { kind: 'execution.finished', ...place, status: 'partial', totalMs: 9 },
      'webhook',
      'Alert BTCUSDT partial',
    ],
  ])('%j is shown as one line', (event, type, message) => {
    expect(seen(event)).toMatchObject({ type, message })
  })

  test('of a refused alert is the refusal alone', () => {
    const refused = {
      ...ids,
      at,
      label: null,
      exchange: 'bybit',
      symbol: 'BTCUSDT',
      message: 'x',
      receivedAt: at,
    }
    expect(seen({ kind: 'alert.refused', ...refused, errorCode: 'E301', error: 'bad side' })).toEqual({
      timestamp: '2026-11-21T12:00:07.000Z',
      type: 'error',
      message: 'Alert refused',
      details: { phase: 'refused', outcome: 'refused' },
    })
  })

  test('begins with the notice of the connection', () => {
    expect(PublicEvent.parse(publicGreeting(at))).toMatchObject({ type: 'connected' })
  })
})

// No word of ours holds these characters, so a piece of what somebody wrote is found wherever it went.
const written = fc.string({ unit: fc.constantFrom('§', '¤', 'ж', '7'), minLength: 3, maxLength: 12 })
const exact = fc.integer({ min: 10_007, max: 99_999_999 }).map((number) => `${number}.${number}`)

test('nothing that somebody wrote, no name, number, id or exact time is ever seen', () => {
  const events = fc.record({
    word: written,
    amount: exact,
    kind: fc.nat(7),
    ms: fc.integer({ min: 1, max: 999 }),
  })
  fc.assert(
    fc.property(events, ({ word, amount, kind, ms }) => {
      const event = eventsWith(word, amount, at - 321 + ms)[kind % 8]
      const published = publicEventOf(event as ExecutionEvent)
      const text = JSON.stringify(published ?? '')
      for (const piece of [word, amount, '0193f5a0', '01KAJ', `.${String(ms).padStart(3, '0')}Z`])
        expect(text).not.toContain(piece)
      if (published !== undefined) expect(PublicEvent.parse(published).timestamp).toMatch(/:07\.000Z$/)
    }),
    { numRuns: 2000 },
  )
})

/** One event of each kind, with this word in every text and this amount in every number. */
function eventsWith(word: string, amount: string, moment: number): object[] {
  const spoiled = { ...ids, at: moment, label: word, exchange: 'bybit', symbol: word, type: word, command: 0 }
  const ordered = { ...spoiled, clientOrderId: word, side: 'sell', quantity: amount }
  const result = { id: word, amount, price: amount, note: word }
  return [
    { kind: 'execution.received', ...spoiled, message: word, body: word, receivedAt: moment, commands: [] },
    { kind: 'command.started', ...spoiled },
    { kind: 'order.sent', ...ordered },
    {
      kind: 'order.acknowledged',
      ...ordered,
      venueOrderId: word,
      filled: amount,
      averagePrice: amount,
      roundTripMs: 1,
    },
    { kind: 'command.unknown', ...spoiled, cause: word },
    {
      kind: 'command.finished',
      ...spoiled,
      outcome: { command: word, status: 'failed', result, errorCode: word, error: word, executionTimeMs: 1 },
    },
    { kind: 'execution.finished', ...spoiled, status: 'success', totalMs: 1 },
    { kind: 'alert.refused', ...spoiled, message: word, receivedAt: moment, errorCode: word, error: word },
  ]
}
