import { describe, expect, test } from '@jest/globals'
import type { LiveEvent } from '@tripline/proto/live-event'
import { type EventKind, type LogFilter, logEntries, logText, messageOf } from './log-entries.ts'

const keepAlive: Partial<LiveEvent> = {
  type: 'client_pool',
  message: 'ByBot kept warm',
  details: { phase: 'keepalive' },
}

const linesOf = (...events: Partial<LiveEvent>[]) =>
  events.map((event, index) => ({
    number: index + 1,
    cameAt: 0,
    event: {
      timestamp: `2026-01-02T03:04:05.00${index}Z`,
      type: 'webhook' as const,
      message: 'received',
      ...event,
    },
  }))

const filter = (change: Partial<LogFilter> = {}) => ({ hidden: new Set<EventKind>(), text: '', ...change })

describe('the rows of the log', () => {
  test('fold keep-alives that follow each other, and nothing else', () => {
    const lines = linesOf({}, {}, keepAlive, keepAlive, keepAlive, {}, keepAlive)
    const entries = logEntries(lines, filter())
    expect(entries.map(({ number, count }) => [number, count])).toEqual([
      [1, 1],
      [2, 1],
      [3, 3],
      [6, 1],
      [7, 1],
    ])
    expect(entries[2]?.event.timestamp).toBe('2026-01-02T03:04:05.004Z')
  })

  test('fold the connections of a page that was loaded again and again', () => {
    const connected = { type: 'connected' as const, message: 'Connected' }
    const entries = logEntries(linesOf(connected, connected, {}, connected), filter())
    expect(entries.map(({ count }) => count)).toEqual([2, 1, 1])
  })

  test('leave out the kinds that are hidden, and entries that lack the text', () => {
    const lines = linesOf(
      { message: 'Buy BTCUSDT' },
      { type: 'error', message: 'no btc' },
      { message: 'sell' },
    )
    expect(logEntries(lines, filter({ hidden: new Set(['error']) }))).toHaveLength(2)
    expect(logEntries(lines, filter({ text: ' btc ' })).map(({ number }) => number)).toEqual([1, 2])
  })

  test('name the bot where the message does not, for the filter and the copy too', () => {
    const details = { label: 'ByBot' }
    const lines = linesOf(
      { message: 'buy 1 BTCUSDT sent', details },
      { message: 'ByBot(BTCUSDT) received', details },
    )
    expect(logEntries(lines, filter({ text: 'bybot' }))).toHaveLength(2)
    expect(logText(logEntries(lines, filter()), 'UTC')).toBe(
      '03:04:05.000 webhook ByBot: buy 1 BTCUSDT sent\n03:04:05.001 webhook ByBot(BTCUSDT) received',
    )
  })

  test('have their thousands apart, but for those of a label', () => {
    const details = { label: 'Bot 2026' }
    const lines = linesOf(
      { message: 'E503 100000.000 is above the maximum quantity 120' },
      { message: 'buy 5000 DOGEUSDT sent', details },
      { message: 'Bot 2026(BTCUSDT) received', details },
    )
    expect(lines.map(({ event }) => messageOf(event))).toEqual([
      'E503 100,000 is above the maximum quantity 120',
      'buy 5,000 DOGEUSDT sent',
      'Bot 2026(BTCUSDT) received',
    ])
  })

  test('are copied a line each', () => {
    expect(logText(logEntries(linesOf({}, keepAlive, keepAlive), filter()), 'UTC')).toBe(
      '03:04:05.000 webhook received\n03:04:05.002 client_pool ByBot kept warm ×2',
    )
  })
})
