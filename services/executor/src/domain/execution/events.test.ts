import { describe, expect, test } from '@jest/globals'
import type { CommandResult } from '@tripline/proto/command-result'
import type { ExecutionEvent } from '@tripline/proto/event'
import type { BotId, ExecutionId, UserId } from '@tripline/proto/id'
import { alertId, done, filled, found, id, start, unknown } from '../../../test/scripted-run.ts'
import type { Decision } from '../order/attempt.ts'
import type { VenueOrder } from '../order/order.ts'
import type { Identity } from '../order/order-events.ts'
import { eventsOf } from './events.ts'
import { observe } from './execution.ts'
import { type Execution, type Observation, withCurrent } from './state.ts'

const identity: Identity = {
  userId: 'user' as UserId,
  alertId,
  executionId: 'execution' as ExecutionId,
  botId: 'bot' as BotId,
  label: 'MyBot',
  exchange: 'paper_futures',
  symbol: 'BTCUSDT',
}
const ref = { symbol: 'BTCUSDT', clientOrderId: id('00'), isConditional: false }
const plan = {
  clientOrderId: id('00') as Decision['plan']['clientOrderId'],
  symbol: 'BTCUSDT',
  type: 'market',
  side: 'buy',
  quantity: '0.010',
  reduceOnly: false,
  positionSide: 'both',
  sizing: '0.01',
} as const
const decision: Decision = { plan, reference: '60000' }
const flight = { receivedAt: 1, durableAt: 2, pickedUpAt: 3 }
const begun = (text = 'market(buy, 0.01)'): Execution => ({ ...start(text), flight })
const outcome: CommandResult = {
  command: 'market',
  status: 'success',
  result: null,
  errorCode: null,
  error: null,
  executionTimeMs: 1,
}
const failure = { ...outcome, status: 'failed', errorCode: 'E506', error: 'too little' } as const

const at = 1000
const emitted = (before: Execution, observation: Observation): readonly ExecutionEvent[] =>
  eventsOf({ identity, at }, before, observation)
const names = (events: readonly ExecutionEvent[]): string[] =>
  events.map(({ kind, eventId }) => `${kind} ${eventId.replace('execution.', '')}`)

/** The execution with its order as it was found before. */
const knowing = (order: Partial<VenueOrder> | undefined, more: object = {}): Execution =>
  withCurrent(begun(), { orders: [{ ref, ...(order && { found: filled(order) }) }], ...more })
const canceled = (change: Partial<VenueOrder>) =>
  ({ of: 'cancel', ref, cancellation: { outcome: 'canceled', order: filled(change) } }) as const
const lookUp = (order: Partial<VenueOrder> = {}) =>
  ({ of: 'lookUp', ref, lookUp: found(order), askedAt: 900 }) as const
const afterEntry = (text: string): Execution => ({ ...begun(text), outcomes: [entered] })
const entered: CommandResult = {
  ...outcome,
  result: { client_order_id: 'entry', side: 'buy', filled: '0.01', reduce_only: false } as never,
}

const table: [name: string, before: Execution, observation: Observation, events: string[]][] = [
  ['a step', begun(), { of: 'begun', by: 'read' }, ['command.started 0.started']],
  ['a sending', begun(), { of: 'sent', decisions: [decision], sentAt: 990 }, ['order.sent 0.sent']],
  [
    'a placement',
    begun(),
    { of: 'place', decision, placement: done(), sentAt: 990 },
    ['order.acknowledged 0.acknowledged'],
  ],
  [
    'a placement without an answer',
    begun(),
    { of: 'place', decision, placement: unknown },
    ['command.unknown 0.unknown'],
  ],
  [
    'an order of that name',
    begun(),
    { of: 'place', decision, placement: { outcome: 'unknown', cause: 'it is there', isThere: true } },
    [],
  ],
  [
    'a refusal',
    begun(),
    { of: 'place', decision, placement: { outcome: 'refused', code: 'E506', error: '' } },
    [],
  ],
  ['a withheld order', begun(), { of: 'place', decision, placement: { outcome: 'withheld' } }, []],
  [
    'a pair of which one is unknown',
    begun(),
    {
      of: 'placeOco',
      placements: [done({ clientOrderId: id('00', '10') }), unknown],
    },
    ['order.acknowledged 0.acknowledged-10', 'command.unknown 0.unknown'],
  ],
  [
    'an order that is found first',
    knowing(undefined),
    lookUp(),
    ['command.started 0.started', 'order.sent 0.sent', 'order.acknowledged 0.acknowledged'],
  ],
  [
    'an order that was open',
    knowing({ status: 'open' }),
    lookUp(),
    ['command.started 0.started', 'order.filled 0.filled'],
  ],
  [
    'an order that is open still',
    knowing({ status: 'open' }),
    lookUp({ status: 'open' }),
    ['command.started 0.started'],
  ],
  [
    'an order that expired',
    knowing({ status: 'open' }),
    lookUp({ status: 'expired' }),
    ['command.started 0.started'],
  ],
  [
    'an order that a cancel asks for',
    knowing(undefined, {
      canceling: { targets: [], listed: 1, isListDue: false, isEndDue: false, endedWatches: 0, held: [] },
    }),
    lookUp(),
    [],
  ],
  ['no order', knowing(undefined), { of: 'lookUp', ref, lookUp: { outcome: 'absent' }, askedAt: 900 }, []],
  [
    'a cancel',
    begun('cancel(which=all)'),
    canceled({ status: 'canceled' }),
    ['order.canceled 0.canceled-77'],
  ],
  [
    'a cancel of a leg',
    begun('stopOrTakeProfit(buy, 1, sl=1)'),
    canceled({ status: 'canceled' }),
    ['order.canceled 0.canceled'],
  ],
  [
    'a wait',
    begun(),
    { of: 'keepProgress', sleep: { wakeAt: 5, tradingState: 'active' } },
    ['command.waiting 0.waiting'],
  ],
  ['a long doubt', begun(), { of: 'longUnknown' }, ['command.alarm 0.alarm-E602']],
  ['long trying', begun(), { of: 'inVain', reason: '', forMs: 1 }, ['command.alarm 0.alarm-in-vain']],
  ['an end', begun(), { of: 'ended', outcome }, ['command.started 0.started', 'command.finished 0.finished']],
  [
    'a skipped command',
    begun(),
    { of: 'ended', outcome: { ...outcome, status: 'skipped' } },
    ['command.finished 0.finished'],
  ],
  [
    'a failed stop behind an entry',
    afterEntry('market(buy, 0.01); stopOrder(sell, 0.01, 59000)'),
    { of: 'ended', outcome: { ...failure, command: 'stopOrder' } },
    ['command.started 1.started', 'command.alarm 1.alarm-E506', 'command.finished 1.finished'],
  ],
  [
    'an entry that an exit overtook',
    begun(),
    { of: 'ended', outcome: entered, isOvertaken: true },
    ['command.started 0.started', 'command.alarm 0.alarm-overtaken', 'command.finished 0.finished'],
  ],
  ['the next command', begun(), { of: 'settle', outcome }, []],
  ['a fault', begun(), { of: 'fault' }, []],
]

describe('the events of an execution', () => {
  test.each(table)('%s', (_name, before, observation, events) => {
    expect(names(emitted(before, observation))).toEqual(events)
  })

  test('are the same for the same happening, whenever it is observed', () => {
    for (const [, before, observation] of table)
      expect(names(eventsOf({ identity, at: 2 * at }, before, observation))).toEqual(
        names(emitted(before, observation)),
      )
  })

  test('show an order as it was sent, by when and at what price', () => {
    const byValue = { ...decision, plan: { ...plan, quantity: '0', quoteQuantity: '600.0' } }
    expect(emitted(begun(), { of: 'sent', decisions: [byValue], sentAt: 990 })).toMatchObject([
      { at: 990, quantity: '0', referencePrice: '60000', spends: { amount: '600', coin: 'USDT' } },
    ])
    expect(emitted(begun(), { of: 'place', decision, placement: done(), sentAt: 990 })).toMatchObject([
      { at, roundTripMs: 10, filled: '0.010', venueOrderId: '77' },
    ])
    expect(emitted(knowing(undefined), lookUp())).toMatchObject([{}, { at: 900 }, { at, roundTripMs: 100 }])
  })
})

describe('the flight of a command', () => {
  const flown = (observations: readonly [Observation, number][]): Execution =>
    observations.reduce<Execution>((before, [observation, now]) => observe(before, observation, now), begun())
  const way: [Observation, number][] = [
    [{ of: 'begun', by: 'read' }, 4],
    [{ of: 'begun', by: 'place', wasFlat: true }, 5],
    [{ of: 'begun', by: 'place', wasFlat: false }, 6],
    [{ of: 'sent', decisions: [decision], sentAt: 7 }, 7],
    [{ of: 'place', decision, placement: done({ updatedAt: 8 }), sentAt: 7, clockAheadMs: 0.5 }, 9],
  ]

  test('has the moments of its observations, and goes with its end', () => {
    const after = flown(way)
    expect(after.wasFlat).toBe(true)
    const moments = {
      resolvedAt: 5,
      sentAt: 7,
      acknowledgedAt: 9,
      filledAt: 9,
      venueAt: 8,
      clockAheadMs: 0.5,
    }
    expect(after.flight).toEqual({ ...flight, ...moments })
    expect(emitted(after, { of: 'ended', outcome })).toMatchObject([
      {},
      { flight: { ...flight, ...moments } },
    ])
  })

  test('begins anew with the next command', () => {
    const after = flown([...way, [{ of: 'settle', outcome }, 10]])
    expect(after.wasFlat).toBeUndefined()
    expect(after.flight).toEqual(flight)
  })
})
