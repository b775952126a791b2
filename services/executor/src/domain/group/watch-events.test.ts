import { expect, test } from '@jest/globals'
import type { BotId, ClientOrderId, ExecutionId, UserId } from '@tripline/proto/id'
import { btcusdt } from '../../../test/btcusdt.ts'
import { alertId, filled, id } from '../../../test/scripted-run.ts'
import { absenceRules } from '../order/absence.ts'
import type { VenueOrder } from '../order/order.ts'
import type { LegsRecord } from './legs-record.ts'
import { type Watch, watchOf } from './watch.ts'
import { endedIn, watchEventsOf } from './watch-events.ts'
import { observeWatch, type WatchObservation } from './watch-observe.ts'

const at = 1000
const identity = {
  userId: 'user' as UserId,
  alertId,
  executionId: 'execution' as ExecutionId,
  botId: 'bot' as BotId,
  label: 'MyBot',
  exchange: 'paper_futures',
  symbol: 'BTCUSDT',
} as const
const scene = { identity, at, about: { command: 1, type: 'oneCancelsOther' } }
const legIds = ['10', '20'].map((leg) => id('01', leg) as ClientOrderId)
const [stopId = '', profitId = ''] = legIds
const legs = legIds.map((clientOrderId) => ({
  decision: {
    plan: {
      ...{ clientOrderId, symbol: 'BTCUSDT', quantity: '0.01', sizing: '0.01', price: '65000' },
      ...({ type: 'limit', side: 'sell', reduceOnly: true, positionSide: 'both' } as const),
    },
  },
  revision: 0,
}))
const record: LegsRecord = {
  state: 'live',
  keeper: 'executor',
  rules: { mode: 'cancel', onPartial: 'reduce' },
  legs,
}
const stored = { record, revision: 1 }
const watch = watchOf(stored, { market: btcusdt, absence: absenceRules.paper_futures }, 0, 0)
const order = (status: VenueOrder['status'], clientOrderId = stopId): VenueOrder =>
  filled({ clientOrderId, status, side: 'sell', type: 'limit' })
const update = (status: VenueOrder['status'], clientOrderId = stopId): WatchObservation => ({
  of: 'update',
  order: order(status, clientOrderId),
})

/** The events of these observations, one after the other. */
function emitted(...observations: WatchObservation[]): string[] {
  let before: Watch = watch
  return observations.flatMap((observation) => {
    const after = observeWatch(before, observation, at)
    const events = watchEventsOf(scene, before, observation, after)
    before = after
    return events.map(({ kind, eventId }) => `${kind} ${eventId.replace('execution.1.', '')}`)
  })
}

const placed: WatchObservation = {
  ...{ of: 'place', clientOrderId: stopId, sentAfter: 0, sentAt: 990 },
  placement: { outcome: 'done', order: order('open') },
}

test.each<[string, WatchObservation[], string[]]>([
  [
    'a sending',
    [{ of: 'sent', decisions: legs.slice(0, 1).map(({ decision }) => decision), sentAt: 990 }],
    ['order.sent sent-10'],
  ],
  ['a placement', [placed], ['order.acknowledged acknowledged-10']],
  [
    'one that was filled at once',
    [{ ...placed, placement: { outcome: 'done', order: order('filled') } }],
    ['order.acknowledged acknowledged-10', 'order.filled filled-10'],
  ],
  ['a refused one', [{ ...placed, placement: { outcome: 'refused', code: 'E506', error: '' } }], []],
  ['an update of an open order', [update('open'), update('open')], []],
  [
    'the end of an order, once',
    [update('open'), update('filled'), update('filled')],
    ['order.filled filled-10'],
  ],
  [
    'the ends of both',
    [update('filled'), update('canceled', profitId)],
    ['order.filled filled-10', 'order.canceled canceled-20'],
  ],
  ['an order that expired', [update('expired')], []],
  [
    'a list that has an order that ended',
    [{ of: 'list', orders: [order('canceled')] }],
    ['order.canceled canceled-10'],
  ],
  [
    'an order that was found to have ended',
    [
      {
        of: 'lookUp',
        ref: { symbol: 'BTCUSDT', clientOrderId: stopId, isConditional: false },
        lookUp: { outcome: 'found', order: order('filled') },
        askedAt: 900,
      },
    ],
    ['order.filled filled-10'],
  ],
  ['a record', [{ of: 'record', stored }], []],
  ['a gap', [{ of: 'gap' }], []],
  [
    'a change',
    [{ of: 'change', phase: 'group-1', notice: { text: 'so', isAlarm: false } }],
    ['group.changed group-1'],
  ],
  [
    'a change that a person should look at',
    [{ of: 'change', phase: 'group-1', notice: { text: 'so', isAlarm: true } }],
    ['command.alarm alarm-group-1'],
  ],
])('the events of %s', (_name, observations, events) => {
  expect(emitted(...observations)).toEqual(events)
})

test('an order has ended that was open before, or not known', () => {
  const ended = observeWatch(watch, update('canceled'), at)
  expect(endedIn(watch, ended).map(({ ref }) => ref.clientOrderId)).toEqual([stopId])
  expect(endedIn(ended, observeWatch(ended, { of: 'gap' }, at))).toEqual([])
})

test('an order is acknowledged as long after it was sent as that took', () => {
  const after = observeWatch(watch, placed, at)
  expect(watchEventsOf(scene, watch, placed, after)).toMatchObject([{ roundTripMs: 10, at }])
})
