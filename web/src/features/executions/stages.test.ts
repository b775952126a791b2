import { describe, expect, test } from '@jest/globals'
import type { FlightView } from '@tripline/proto/http/execution'
import { sampleCommand, sampleExecution } from './sample-execution.ts'
import { stagesOf, wholeMs } from './stages.ts'

const market = sampleCommand({ params: { side: 'buy', amount: '0.01' }, execution_time_ms: 3 })

const event = (kind: string, after_ms: number, command: number | null = null, details = {}) => ({
  at: '2026-11-21T12:00:00.000Z',
  after_ms,
  kind,
  command,
  details,
})

const flight: FlightView = {
  ...sampleExecution({ total_ms: 9, commands_executed: [market] }),
  webhook_payload: { message: 'MyBot(BTCUSDT) { market(buy, 0.01) }', body: null },
  stages: {},
  notification: null,
  events: [
    event('execution.received', 1.5),
    event('command.started', 2, 0),
    event('order.sent', 3, 0, { side: 'buy', quantity: '0.010' }),
    event('order.acknowledged', 5, 0, { venue_order_id: '77', round_trip_ms: 2 }),
    event('command.finished', 5.5, 0),
    event('execution.finished', 8),
  ],
}

describe('the stages of an execution', () => {
  test('are the receipt, the reading, each command with its events, and the notification', () => {
    const stages = stagesOf(flight, flight, 'UTC')
    expect(stages.map(({ name, afterMs }) => [name, afterMs])).toEqual([
      ['Received', 0],
      ['Parsed', 1.5],
      ['market', 2],
      ['Notification', 8],
    ])
    expect(stages[2]?.notes).toEqual([
      { afterMs: 3, text: 'buy 0.01 sent' },
      { afterMs: 5, text: 'acknowledged order 77 in 2.0 ms' },
    ])
  })

  test('of a buy by value show the amount it spends', () => {
    const sent = event('order.sent', 3, 0, {
      side: 'buy',
      quantity: '0',
      spends: { amount: '50', coin: 'USDT' },
    })
    const stages = stagesOf(flight, { ...flight, events: [sent] }, 'UTC')
    expect(stages[2]?.notes).toEqual([{ afterMs: 3, text: 'buy for 50 USDT sent' }])
  })

  test('of orders have numbers with separators, and ids as they are', () => {
    const sent = event('order.sent', 3, 0, { side: 'sell', quantity: '1000000' })
    const filled = event('order.filled', 4, 0, {
      filled: '250000.50',
      average_price: '61234.5',
      venue_order_id: '4000000003',
      fee: { amount: '1530.8625', coin: 'USDT' },
    })
    const stages = stagesOf(flight, { ...flight, events: [sent, filled] }, 'UTC')
    expect(stages[2]?.notes.map(({ text }) => text)).toEqual([
      'sell 1,000,000 sent',
      'filled 250,000.5 @ 61,234.5 order 4000000003 fee 1,530.86 USDT',
    ])
  })

  test('have no times before the flight record is there', () => {
    expect(stagesOf(flight, undefined, 'UTC').map(({ afterMs }) => afterMs)).toEqual([0, null, null, null])
  })

  test('of a refused alert end with the reading', () => {
    const refused = {
      ...flight,
      error_code: 'E201',
      overall_status: 'failed' as const,
      commands_executed: [],
    }
    const stages = stagesOf(refused, { ...refused, events: [event('alert.refused', 2)] }, 'UTC')
    expect(stages.map(({ name, status }) => [name, status])).toEqual([
      ['Received', 'success'],
      ['Parsed', 'failed'],
      ['Notification', 'recorded'],
    ])
  })
})

test('bars are drawn against the whole time, however it is given', () => {
  expect(wholeMs(flight, undefined)).toBe(9)
  expect(wholeMs({ ...flight, total_ms: null }, flight)).toBe(8)
})
