import { describe, expect, test } from '@jest/globals'
import { clientOrderIdOf } from '@tripline/proto/client-order-id'
import { accountReading, btcusdt, btcusdtSpot } from '../../../test/btcusdt.ts'
import { alertId, filled } from '../../../test/scripted-run.ts'
import { decisionOf } from '../execution/doubt-record.ts'
import { absenceRules } from '../order/absence.ts'
import type { OrderPlan, VenueOrder } from '../order/order.ts'
import { type Closes, closedWithPosition, closesOf, isClosedIn } from './closing.ts'
import type { LegsRecord } from './legs-record.ts'
import { protectionIn } from './protection.ts'
import { type Watch, watchOf } from './watch.ts'
import { nextForWatch } from './watch-next.ts'
import { observeWatch } from './watch-observe.ts'

type Change = Partial<OrderPlan>

function planOf(leg: number, change: Change = {}): OrderPlan {
  return {
    clientOrderId: clientOrderIdOf({ alertId, block: 0, command: 0, leg, revision: 0 }),
    symbol: 'BTCUSDT',
    type: 'limit',
    side: 'sell',
    quantity: '0.100',
    price: '62000.0',
    reduceOnly: true,
    positionSide: 'both',
    sizing: '',
    ...change,
  }
}

function watchOver(plans: readonly OrderPlan[], more: Partial<LegsRecord> = {}, market = btcusdt): Watch {
  const legs = plans.map((plan) => ({ decision: { plan }, revision: 0 }))
  const rules = { mode: 'cancel', onPartial: 'reduce' } as const
  const record: LegsRecord = { state: 'live', keeper: 'executor', rules, legs, ...more }
  return watchOf({ record, revision: 1 }, { market, absence: absenceRules.paper_futures }, 0, 0)
}

function shown(watch: Watch, leg: number, change: Partial<VenueOrder>): Watch {
  const { clientOrderId } = planOf(leg)
  const order = filled({ clientOrderId, status: 'open', filled: '0', side: 'sell', ...change })
  return observeWatch(watch, { of: 'update', order }, 0)
}

const pair = [planOf(0), planOf(1)]

describe('orders are for a position', () => {
  test.each<[string, OrderPlan[], Partial<Closes> | undefined]>([
    ['that is long where they are reduce-only sales', pair, { side: 'long', isHeld: true }],
    ['that is short where they are reduce-only purchases', [planOf(0, { side: 'buy' })], { side: 'short' }],
    ['of none where one may open something', [planOf(0), planOf(1, { reduceOnly: false })], undefined],
    ['of none where they are against both sides', [planOf(0), planOf(1, { side: 'buy' })], undefined],
    [
      'of the side that they name in hedge mode, of which nobody knows yet that it is held',
      [planOf(0, { positionSide: 'long', reduceOnly: false })],
      { side: 'long', positionSide: 'long', isHeld: false },
    ],
    [
      'of none where they open the side that they name',
      [planOf(0, { positionSide: 'short', reduceOnly: false })],
      undefined,
    ],
  ])('%s', (_name, plans, closes) => {
    const found = closesOf(watchOver(plans))
    if (closes === undefined) expect(found).toBeUndefined()
    else expect(found).toMatchObject(closes)
  })

  test('of coins where they are sales on spot, of the most that one of them sells', () => {
    const sales = [planOf(0, { reduceOnly: false }), planOf(1, { reduceOnly: false, quantity: '0.05' })]
    const closes = {
      side: 'long',
      positionSide: 'both',
      isHeld: false,
      isEnding: false,
      coins: '0.100',
    } as const
    expect(closesOf(watchOver(sales, {}, btcusdtSpot))).toEqual(closes)
    expect(closesOf(watchOver(sales, { protects: true }, btcusdtSpot))).toEqual({ ...closes, isHeld: true })
    expect(closesOf(watchOver([planOf(0, { side: 'buy' })], {}, btcusdtSpot))).toBeUndefined()
  })

  test('also where the one that may open something has ended', () => {
    const watch = watchOver([planOf(0), planOf(1, { reduceOnly: false })])
    expect(closesOf(shown(watch, 1, { status: 'canceled' }))).toMatchObject({ side: 'long' })
  })

  test('by the record of the exchange where nobody knows the decision', () => {
    const ref = { symbol: 'BTCUSDT', clientOrderId: planOf(0).clientOrderId, isConditional: false }
    const watch = watchOver([decisionOf({ ref }).plan], { isLone: true })
    expect(closesOf(watch)).toBeUndefined()
    expect(closesOf(shown(watch, 0, { reduceOnly: true }))).toMatchObject({ side: 'long', isHeld: true })
    expect(closesOf(shown(watch, 0, { reduceOnly: false }))).toBeUndefined()
  })

  test('also while the others are canceled for one of them, as long as that is open', () => {
    const closing = watchOver(pair, { state: 'closing', closedBy: planOf(0).clientOrderId })
    expect(closesOf(closing)).toMatchObject({ side: 'long' })
    const partly = shown(closing, 0, { status: 'partially_filled', filled: '0.05' })
    expect(closesOf(partly)).toMatchObject({ side: 'long' })
    expect(closesOf(shown(partly, 0, { status: 'filled', filled: '0.100' }))).toBeUndefined()
  })

  test.each<Partial<LegsRecord>>([
    { state: 'placing' },
    { state: 'closing' },
    { state: 'done' },
    { isUntold: true },
  ])('of none that could be ended where their record is %j', (more) => {
    expect(closesOf(watchOver(pair, more))).toBeUndefined()
  })
})

describe('a position is closed', () => {
  const held = (quantity: string) => ({ quantity, entryPrice: null, unrealizedPnl: '0' })
  test.each([
    ['0', 'long', true],
    ['0', 'short', true],
    ['0.001', 'long', false],
    ['0.001', 'short', true],
    ['-0.001', 'long', true],
    ['-0.001', 'short', false],
  ] as const)('with %s held, as a %s: %s', (position, side, isClosed) => {
    expect(isClosedIn(accountReading({ position }), { side }, btcusdt)).toBe(isClosed)
  })

  test('by its own side in hedge mode', () => {
    const reading = accountReading({ position: '-0.03', hedged: { long: held('0'), short: held('-0.03') } })
    expect(isClosedIn(reading, { side: 'long' }, btcusdt)).toBe(true)
    expect(isClosedIn(reading, { side: 'short' }, btcusdt)).toBe(false)
  })

  test.each([
    ['0.0000099', '60000', '0.02', true, 'less than the least quantity'],
    ['0.00008', '60000', '0.02', true, 'worth less than the least order'],
    ['0.00009', '60000', '0.02', false, 'enough for an order'],
    ['0.02', '200', '0.02', false, 'all of it, and worth next to nothing'],
  ])('on spot where of %s at %s, with exits of %s: %s (%s)', (position, bid, coins, isClosed) => {
    const reading = accountReading({ position, bid })
    expect(isClosedIn(reading, { side: 'long', coins }, btcusdtSpot)).toBe(isClosed)
  })
})

describe('orders of a closed position', () => {
  const closing = (watch: Watch): Watch => ({
    ...watch,
    stored: { ...watch.stored, record: closedWithPosition(watch.stored.record) },
  })
  test.each([
    ['a group', {}],
    ['an order by itself', { isLone: true }],
    ['a pair that the venue keeps', { keeper: 'venue' }],
    ['a pair by turns', { turn: 'stop' }],
  ] as const)('are canceled: %s', (_name, more) => {
    const plans = [planOf(0, { type: 'stop', triggerPrice: '58000' }), planOf(1)]
    const watch = shown(closing(watchOver(plans, more)), 0, {})
    expect(nextForWatch(watch, 1000)).toMatchObject({
      do: 'cancel',
      ref: { clientOrderId: planOf(0).clientOrderId },
    })
    const ended = [0, 1].reduce((each, leg) => shown(each, leg, { status: 'canceled' }), watch)
    const step = nextForWatch(ended, 1000)
    expect(step).toMatchObject({ do: 'record', record: { state: 'done' } })
    expect(step).not.toHaveProperty('notice')
  })

  test('are known to be ended, until they have', () => {
    const ending = shown(closing(watchOver(pair)), 0, {})
    expect(closesOf(ending)).toMatchObject({ side: 'long', isEnding: true })
    const ended = [0, 1].reduce((each, leg) => shown(each, leg, { status: 'canceled' }), ending)
    expect(closesOf(ended)).toBeUndefined()
  })

  test('are not missed as the stop of a position', () => {
    const plans = [planOf(0, { type: 'stop', triggerPrice: '58000' })]
    const ended = shown(watchOver(plans, { isLone: true }), 0, { status: 'canceled' })
    expect(protectionIn(ended)).toMatchObject({ stop: 'missing' })
    expect(protectionIn(closing(ended))).toBeUndefined()
  })
})
