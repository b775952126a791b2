import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import type { OrderPlan } from '../../src/domain/order/order.ts'
import { type BybitRig, buildBybitRig, find, follow, place, planOf, refOf, untilLive } from './bybit-rig.ts'

let rig: BybitRig
beforeAll(async () => {
  // A look-up right after a change is compared with it: reads show it at once.
  rig = await buildBybitRig({ PAPER_READ_LAG_MS: '0' })
})
afterEach(async () => await rig.paper.clearFaults())
afterAll(async () => await rig.stop())

type Row = readonly [code: string, number: number, plan: Partial<OrderPlan>]

const refusedOnLinear: readonly Row[] = [
  ['E506', 110007, { quantity: '90' }],
  ['E510', 110017, { side: 'sell', reduceOnly: true }],
  ['E507', 110092, { type: 'stop', triggerPrice: '59000' }],
  ['E507', 110093, { type: 'takeProfit', triggerPrice: '61000' }],
  ['E508', 110003, { type: 'limit', price: '90000' }],
  ['E504', 110094, { symbol: 'XRPUSDT', type: 'limit', price: '0.58', quantity: '1' }],
  ['E405', 10001, { positionSide: 'long' }],
  ['E501', 10001, { quantity: '0.0001' }],
]

const refusedOnSpot: readonly Row[] = [
  ['E506', 170131, { quantity: '5', side: 'sell' }],
  // Below the least quantity that the venue still reports: only the value counts.
  ['E504', 170140, { type: 'limit', price: '59000', quantity: '0.00001' }],
  ['E503', 170124, { type: 'limit', price: '59000', quantity: '84' }],
  ['E501', 170137, { type: 'limit', price: '59000', quantity: '0.0100001' }],
  ['E504', 170140, { quantity: '0', quoteQuantity: '4.9' }],
  ['E508', 170134, { type: 'limit', price: '59000.05' }],
  ['E508', 170193, { type: 'limit', price: '90000' }],
  ['E509', 170218, { type: 'limit', price: '60500', timeInForce: 'postOnly' }],
]

test.each(refusedOnLinear)('linear: %s for %i', async (code, number, differing) => {
  const placement = await rig.linear.place(planOf(differing), () => undefined)
  expect(placement).toMatchObject({ outcome: 'refused', code, error: expect.stringContaining(`(${number})`) })
})

test.each(refusedOnSpot)('spot: %s for %i', async (code, number, differing) => {
  const placement = await rig.spot.place(planOf(differing), () => undefined)
  expect(placement).toMatchObject({ outcome: 'refused', code, error: expect.stringContaining(`(${number})`) })
})

const createPath = '/v5/order/create'

/** Codes that the paper exchange gives only when it is reported to. */
const injected: readonly (readonly [number: number, code: string])[] = [
  [10003, 'E406'],
  [10004, 'E406'],
  [10005, 'E406'],
  [10010, 'E406'],
  [33004, 'E406'],
  [10429, 'E603'],
  [110004, 'E506'],
  [110012, 'E506'],
  [110045, 'E506'],
  [110009, 'E513'],
  [110020, 'E513'],
  [110090, 'E503'],
  [170132, 'E508'],
  [170133, 'E508'],
  [170194, 'E508'],
  [30208, 'E508'],
  [170121, 'E401'],
  [170812, 'E513'],
  [110085, 'E310'],
  [110086, 'E310'],
  [110118, 'E402'],
  [110074, 'E402'],
  [30228, 'E402'],
  [110120, 'E508'],
  [110121, 'E508'],
  [170203, 'E508'],
  [170341, 'E503'],
  [170381, 'E503'],
  [170382, 'E503'],
  [110123, 'E406'],
  [110124, 'E406'],
  [3400045, 'E405'],
  [110125, 'E406'],
  [110132, 'E406'],
  [10403, 'E603'],
  [110061, 'E513'],
  [999_999, 'E601'],
]

test.each(injected)('the code %i becomes %s', async (code, expected) => {
  await rig.paper.addFault({
    match: { path: createPath },
    action: 'reject',
    code,
    message: 'as armed',
    count: 1,
  })
  const placement = await rig.linear.place(planOf(), () => undefined)
  expect(placement).toMatchObject({ outcome: 'refused', code: expected })
  expect(placement).toMatchObject({ error: expect.stringContaining('as armed') })
})

test.each([
  ['The number of contracts exceeds minimum limit allowed', 'E502'],
  ['The number of contracts exceeds maximum limit allowed: too large', 'E503'],
  ['position idx not match position mode', 'E405'],
  ['params error: symbol invalid', 'E401'],
  ['params error: triggerPrice invalid', 'E508'],
  ['something else', 'E601'],
])('10001 is classified by its words: %s', async (message, code) => {
  await rig.paper.addFault({ match: { path: createPath }, action: 'reject', code: 10001, message, count: 1 })
  expect(await rig.linear.place(planOf(), () => undefined)).toMatchObject({ outcome: 'refused', code })
})

// 10002, and -1 of the trade socket, stand for a request outside of its receive window.
test.each([10002, -1])('the code %i has the order signed anew, once', async (code) => {
  const match = { path: createPath }
  await rig.paper.addFault({ match, action: 'reject', code, message: 'time', count: 1 })
  expect(await rig.linear.place(planOf(), () => undefined)).toMatchObject({ outcome: 'done' })
  await rig.paper.addFault({ match, action: 'reject', code, message: 'time', count: 2 })
  expect(await rig.linear.place(planOf(), () => undefined)).toMatchObject({
    outcome: 'refused',
    error: expect.stringContaining(`(${code})`),
  })
})

describe('the result of the order is unknown', () => {
  test.each([10000, 10016, 170007, 170146, 10014])('after the code %i', async (code) => {
    await rig.paper.addFault({ match: { path: createPath }, action: 'reject', code, count: 1 })
    expect(await rig.linear.place(planOf(), () => undefined)).toMatchObject({ outcome: 'unknown' })
  })

  test.each([
    { action: 'accept-then-drop' },
    { action: 'accept-then-status', status: 504 },
    { action: 'accept-then-status', status: 500 },
    { action: 'stall-body', ms: 6000 },
  ])('where the answer is lost: $action $status', async (fault) => {
    await rig.paper.addFault({ match: { path: createPath }, count: 1, ...fault })
    const plan = planOf()
    expect(await rig.linear.place(plan, () => undefined)).toMatchObject({ outcome: 'unknown' })
    expect(await find(rig.linear, plan)).toMatchObject({ status: 'filled' })
  })

  test('unless the stream reports it', async () => {
    const { linear } = await rig.another()
    const { events, stop } = follow(linear)
    await untilLive(events)
    // Longer than the stream takes on a machine that is busy.
    const fault = { action: 'accept-then-delay', ms: 3500, count: 1 }
    await rig.paper.addFault({ match: { path: createPath }, ...fault })
    expect(await place(linear, planOf())).toMatchObject({ status: 'filled' })
    stop()
  })

  test.each(['linear', 'spot'] as const)('on %s when an earlier attempt has the id', async (market) => {
    const venue = (await rig.another())[market]
    const plan = planOf()
    await place(venue, plan)
    expect(await venue.place(plan, () => undefined)).toMatchObject({ outcome: 'unknown', isThere: true })
    expect(await find(venue, plan)).toMatchObject({ status: 'filled' })
  })

  test('when the order was dropped on its way, and then it is absent', async () => {
    await rig.paper.addFault({ match: { path: createPath }, action: 'drop', count: 1 })
    const plan = planOf()
    expect(await rig.linear.place(plan, () => undefined)).toMatchObject({ outcome: 'unknown' })
    expect(await rig.linear.lookUp(refOf(plan))).toEqual({ outcome: 'absent' })
    const sent = (await rig.paper.journal()).filter(
      ({ clientOrderId }) => clientOrderId === plan.clientOrderId,
    )
    expect(sent).toHaveLength(1)
  })
})

test('a cancel whose answer is lost is unknown, and gone when asked again', async () => {
  const { linear } = await rig.another()
  const plan = planOf({ type: 'limit', price: '59000' })
  await place(linear, plan)
  await rig.paper.addFault({ match: { path: '/v5/order/cancel' }, action: 'accept-then-drop', count: 1 })
  expect(await linear.cancel(refOf(plan))).toMatchObject({ outcome: 'unknown' })
  expect(await linear.cancel(refOf(plan))).toMatchObject({ outcome: 'gone', order: { status: 'canceled' } })
})

test.each([110079, 170147, 10016])('a cancel is unknown after the code %i', async (code) => {
  await rig.paper.addFault({ match: { path: '/v5/order/cancel' }, action: 'reject', code, count: 1 })
  expect(await rig.linear.cancel(refOf(planOf()))).toMatchObject({ outcome: 'unknown' })
})

test('reads that the venue does not answer are unreachable, reads that it refuses are refused', async () => {
  await rig.paper.addFault({ match: { path: '/v5/order' }, action: 'drop' })
  await rig.paper.addFault({ match: { path: '/v5/account' }, action: 'drop' })
  expect(await rig.linear.lookUp(refOf(planOf()))).toMatchObject({ outcome: 'unreachable' })
  expect(await rig.linear.openOrders('BTCUSDT')).toMatchObject({ outcome: 'unreachable' })
  expect(await rig.linear.read('BTCUSDT')).toMatchObject({ outcome: 'unreachable' })
  await rig.paper.clearFaults()
  await rig.paper.addFault({ match: { path: '/v5/order' }, action: 'reject', code: 10003 })
  await rig.paper.addFault({ match: { path: '/v5/account' }, action: 'reject', code: 10003 })
  expect(await rig.linear.openOrders('BTCUSDT')).toMatchObject({ outcome: 'refused', code: 'E406' })
  expect(await rig.linear.read('BTCUSDT')).toMatchObject({ outcome: 'refused', code: 'E406' })
  expect(await rig.linear.read('NOPEUSDT')).toMatchObject({ outcome: 'refused', code: 'E401' })
})
