import { describe, expect, test } from '@jest/globals'
import type { CommandResult } from './command-result.ts'
import { eventIdOf, StoredEvent } from './event.ts'
import { type AlertId, executionIdOf } from './id.ts'
import { keepAliveOf, LiveEvent, liveEventOf } from './live-event.ts'

const alertId = '01ARZ3NDEKTSV4RRFFQ69G5FAV' as AlertId
const executionId = executionIdOf(alertId, 0)
const execution = {
  eventId: eventIdOf(executionId, 0, 'sent'),
  at: 1_795_269_600_123.25,
  userId: '6f1d3c58-6c0f-4f43-9d0c-5b6d3e0a7c11',
  alertId,
  executionId,
  botId: '0b7c3ad5-6f0f-4f83-8a53-1f4f8f0f0a77',
  label: 'MyBot',
  exchange: 'paper_futures',
  symbol: 'BTCUSDT',
}
const command = { ...execution, command: 0, type: 'market' }
const order = { ...command, clientOrderId: `t${alertId}00000`, side: 'buy', quantity: '0.010' }
const place = { execution_id: executionId, symbol: 'BTCUSDT', label: 'MyBot' }

const outcome: CommandResult = {
  command: 'market',
  status: 'success',
  result: null,
  errorCode: null,
  error: null,
  executionTimeMs: 12.5,
}
const failure: CommandResult = { ...outcome, status: 'failed', errorCode: 'E506', error: 'not enough margin' }

/** The line of an event as it lies in the stream. */
function lineOf(event: object): LiveEvent {
  return LiveEvent.parse(JSON.parse(JSON.stringify(liveEventOf(StoredEvent.parse(event)))))
}

describe('a notice says which bots are connected', () => {
  const at = Date.UTC(2026, 0, 2, 3, 4, 5, 6)
  const bots = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ label: `B${index}`, exchange: 'paper_spot' as const }))

  test.each([
    [1, 'B0 is connected to Paper Spot'],
    [2, '2 bots are connected: B0, B1'],
    [5, '5 bots are connected: B0, B1, B2, B3, B4'],
    [7, '7 bots are connected: B0, B1, B2, B3, B4 and 2 more'],
  ])('in one line, of %d', (count, message) => {
    expect(keepAliveOf(bots(count), at)).toEqual({
      timestamp: '2026-01-02T03:04:05.006Z',
      type: 'client_pool',
      message,
      details: { phase: 'keepalive' },
    })
  })

  test('not at all where none is', () => {
    expect(keepAliveOf([], at)).toBeUndefined()
  })
})

describe('the live log shows', () => {
  test.each([
    ['warm', { tookMs: 12.5 }, 'MyBot is ready on Paper Futures', { phase: 'success', duration_ms: 12.5 }],
    ['unreachable', {}, 'MyBot: Paper Futures cannot be reached, trying again', { phase: 'error' }],
    ['unreachable', { problem: 'link it again' }, 'MyBot cannot trade: link it again', { phase: 'error' }],
    ['reconnecting', {}, 'MyBot: private stream lost, connecting again', { phase: 'error' }],
    ['live', {}, 'MyBot: private stream is back', { phase: 'keepalive' }],
    ['removed', {}, 'MyBot: client closed', { phase: 'done' }],
  ])('a client that is %s', (state, more, message, details) => {
    const { eventId, at, userId, botId, label, exchange } = execution
    const event = { eventId, at, userId, botId, label, exchange, kind: 'client.changed', state, ...more }
    expect(lineOf(event)).toMatchObject({
      type: 'client_pool',
      message,
      details: { label: 'MyBot', ...details },
    })
  })

  test.each<[string, object, Omit<LiveEvent, 'timestamp'>]>([
    [
      'an execution that was received',
      { ...execution, kind: 'execution.received', message: 'x', receivedAt: 1, commands: [] },
      {
        type: 'webhook',
        message: 'MyBot(BTCUSDT) received',
        details: { ...place, phase: 'received' },
      },
    ],
    [
      'a command that began',
      { ...command, kind: 'command.started' },
      {
        type: 'command',
        message: 'market BTCUSDT',
        details: { ...place, phase: 'start', command: 'market' },
      },
    ],
    [
      'a wait',
      { ...command, kind: 'command.waiting', type: 'wait', wakeAt: 1_795_269_605_000 },
      {
        type: 'command',
        message: 'wait until 2026-11-21T14:00:05.000Z',
        details: { ...place, phase: 'waiting', command: 'wait' },
      },
    ],
    [
      'something that a person should look at',
      { ...command, kind: 'command.alarm', code: 'E604', text: 'the entry stands without its protection' },
      {
        type: 'error',
        message: 'market BTCUSDT: the entry stands without its protection',
        details: { ...place, phase: 'alarm', command: 'market', error_code: 'E604' },
      },
    ],
    [
      'the same where there is no code for it',
      { ...command, kind: 'command.alarm', text: 'a stop ended as expired, not by its group' },
      {
        type: 'error',
        message: 'market BTCUSDT: a stop ended as expired, not by its group',
        details: { ...place, phase: 'alarm', command: 'market' },
      },
    ],
    [
      'what turned out later',
      { ...command, kind: 'command.amended', outcome: failure },
      {
        type: 'error',
        message: 'market BTCUSDT: updated later: not enough margin',
        details: { ...place, phase: 'amended', command: 'market' },
      },
    ],
    [
      'what became of a group',
      { ...command, kind: 'group.changed', type: 'oneCancelsOther', text: 'stop is filled' },
      {
        type: 'oco',
        message: 'BTCUSDT: stop is filled',
        details: { ...place, phase: 'changed', command: 'oneCancelsOther' },
      },
    ],
    [
      'an order that was sent',
      { ...order, kind: 'order.sent' },
      {
        type: 'exchange',
        message: 'buy 0.010 BTCUSDT sent',
        details: { ...place, phase: 'sent', command: 'market', client_order_id: order.clientOrderId },
      },
    ],
    [
      'a buy by value that was sent',
      { ...order, kind: 'order.sent', quantity: '0', spends: { amount: '50', coin: 'USDT' } },
      {
        type: 'exchange',
        message: 'buy BTCUSDT for 50 USDT sent',
        details: { ...place, phase: 'sent', command: 'market', client_order_id: order.clientOrderId },
      },
    ],
    [
      'an order that was acknowledged',
      {
        ...order,
        kind: 'order.acknowledged',
        venueOrderId: '7',
        filled: '0.010',
        averagePrice: null,
        roundTripMs: 3.5,
      },
      {
        type: 'exchange',
        message: 'buy 0.010 BTCUSDT acknowledged',
        details: {
          ...place,
          phase: 'acknowledged',
          command: 'market',
          client_order_id: order.clientOrderId,
          execution_time_ms: 3.5,
        },
      },
    ],
    [
      'an order that was filled',
      {
        ...order,
        kind: 'order.filled',
        venueOrderId: '7',
        filled: '0.010',
        averagePrice: '60000.5',
        fee: null,
      },
      {
        type: 'exchange',
        message: 'buy 0.010 BTCUSDT filled at 60000.5',
        details: { ...place, phase: 'filled', command: 'market', client_order_id: order.clientOrderId },
      },
    ],
    [
      'a command whose outcome is unknown',
      { ...command, kind: 'command.unknown', cause: 'no answer' },
      {
        type: 'error',
        message: 'market BTCUSDT: outcome unknown, asking the exchange',
        details: { ...place, phase: 'unknown', command: 'market', error_code: 'E602' },
      },
    ],
    [
      'a command that succeeded',
      { ...command, kind: 'command.finished', outcome },
      {
        type: 'command',
        message: 'market BTCUSDT done',
        details: { ...place, phase: 'success', command: 'market', execution_time_ms: 12.5 },
      },
    ],
    [
      'a command that failed',
      { ...command, kind: 'command.finished', outcome: failure },
      {
        type: 'error',
        message: 'market BTCUSDT: not enough margin',
        details: {
          ...place,
          phase: 'error',
          command: 'market',
          execution_time_ms: 12.5,
          error_code: 'E506',
        },
      },
    ],
    [
      'a command that was skipped, which is no error of its own',
      { ...command, kind: 'command.finished', outcome: { ...outcome, status: 'skipped' } },
      {
        type: 'command',
        message: 'market BTCUSDT skipped',
        details: { ...place, command: 'market' },
      },
    ],
    [
      'an execution that ended',
      { ...execution, kind: 'execution.finished', status: 'partial', totalMs: 20 },
      {
        type: 'webhook',
        message: 'MyBot(BTCUSDT) partial',
        details: { ...place, phase: 'done', status: 'partial', execution_time_ms: 20 },
      },
    ],
  ])('%s', (_name, event, line) => {
    expect(lineOf(event)).toEqual({ timestamp: new Date(execution.at).toISOString(), ...line })
  })

  const refused = {
    kind: 'alert.refused',
    eventId: eventIdOf(alertId, '-', 'refused'),
    at: execution.at,
    userId: execution.userId,
    alertId,
    botId: null,
    label: null,
    symbol: null,
    exchange: null,
    message: 'a text with secrets',
    receivedAt: 1,
    errorCode: 'E201',
  }

  test.each(['unknown bot', 'E201 unknown bot'])('a refusal with its code once: %s', (error) => {
    expect(lineOf({ ...refused, error })).toEqual({
      timestamp: new Date(execution.at).toISOString(),
      type: 'error',
      message: 'E201 unknown bot',
      details: { execution_id: alertId, phase: 'refused', status: 'failed', error_code: 'E201' },
    })
  })
})
