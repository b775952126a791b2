import { afterEach, describe, expect, test } from '@jest/globals'
import { Agent } from 'undici'
import { openConnections } from '../../src/venue/connections.ts'
import { createRateLimiter } from '../../src/venue/limits/rate-limiter.ts'
import { noting } from '../noting.ts'
import { type BybitRig, buildBybitRig, place, planOf, refOf } from './bybit-rig.ts'

let rig: BybitRig | undefined
afterEach(async () => await rig?.stop())

describe('the rate limiter', () => {
  test('lets pass at once as many as there is room for, and the rest when there is room again', async () => {
    let now = 0
    const pause = async (ms: number) => {
      now += ms
    }
    const limiter = createRateLimiter(
      { most: 4, spanMs: 200, reservedForUrgent: 1 },
      { now: () => now, pause },
    )
    for (let count = 0; count < 3; count++) await limiter.enter(false)
    await limiter.enter(true)
    expect(now).toBe(0)
    await limiter.enter(false)
    expect(now).toBe(200)
  })

  test('keeps room for urgent requests', async () => {
    let now = 0
    const passing = Promise.withResolvers<void>()
    const pause = async (ms: number) => {
      await passing.promise
      now += ms
    }
    const limiter = createRateLimiter(
      { most: 2, spanMs: 500, reservedForUrgent: 1 },
      { now: () => now, pause },
    )
    await limiter.enter(false)
    const held = limiter.enter(false)
    await limiter.enter(true)
    expect(now).toBe(0)
    passing.resolve()
    await held
    expect(now).toBe(500)
  })
})

describe('orders and look-ups', () => {
  const passing = Promise.withResolvers<void>()
  const limit = { most: 10, spanMs: 500, reservedForUrgent: 6, withheldFromOrders: 2 }

  test('may use the part that is reserved from other requests, but for one that is left to exits', async () => {
    let now = 0
    const pause = async (ms: number) => {
      await passing.promise
      now += ms
    }
    const limiter = createRateLimiter(limit, { now: () => now, pause })
    for (let count = 0; count < 8; count++) await limiter.enterOrder()
    const entered: string[] = []
    const enter = async (name: string, entering: Promise<void>): Promise<void> => {
      await entering
      entered.push(name)
    }
    const held = [
      enter('other', limiter.enter(false)),
      enter('order', limiter.enterOrder()),
      enter('exit', limiter.enter(true)),
      enter('exit', limiter.enter(true)),
      enter('late exit', limiter.enter(true)),
    ]
    await Promise.all(held.slice(2, 4))
    expect([entered, now]).toEqual([['exit', 'exit'], 0])
    passing.resolve()
    await Promise.all(held)
    expect(entered).toEqual(['exit', 'exit', 'late exit', 'order', 'other'])
  })
})

test('one user of a limiter who asks for all of it leaves room for another', async () => {
  let now = 0
  const passing = Promise.withResolvers<void>()
  const pause = async (ms: number) => {
    await passing.promise
    now += ms
  }
  const limiter = createRateLimiter(
    { most: 100, spanMs: 500, reservedForUrgent: 10 },
    { now: () => now, pause },
  )
  await limiter.enter(false, 'victim')
  let entered = 0
  const asked = [false, true].flatMap((isUrgent) =>
    Array.from({ length: 200 }, async () => {
      await limiter.enter(isUrgent, 'attacker')
      entered++
    }),
  )
  await limiter.enter(false, 'victim')
  await limiter.enter(true, 'victim')
  expect(now).toBe(0)
  expect(entered).toBeGreaterThan(50)
  expect(entered).toBeLessThan(80)
  passing.resolve()
  await Promise.all(asked)
})

test.each([true, false])(
  'one user of a limiter who cancels many orders leaves room for another, who had asked before: %p',
  async (hasAsked) => {
    let now = 0
    const passing = Promise.withResolvers<void>()
    const pause = async (ms: number) => {
      await passing.promise
      now += ms
    }
    const limiter = createRateLimiter(
      { most: 550, spanMs: 5000, reservedForUrgent: 100 },
      { now: () => now, pause },
    )
    if (hasAsked) await limiter.enter(false, 'victim')
    let entered = 0
    const asked = Array.from({ length: 1000 }, async () => {
      await limiter.enterCancel('attacker')
      entered++
    })
    for (let count = 0; count < 30; count++) await limiter.enter(false, 'victim')
    for (let count = 0; count < 10; count++) await limiter.enterCancel('victim')
    await limiter.enter(true, 'victim')
    expect(now).toBe(0)
    expect(entered).toBeGreaterThan(100)
    expect(entered).toBeLessThanOrEqual(0.5 * 550)
    passing.resolve()
    await Promise.all(asked)
  },
)

test('an urgent request waits for nothing where a usual one does not', async () => {
  let now = 0
  const pause = async (ms: number) => {
    now += ms
  }
  const limiter = createRateLimiter(
    { most: 100, spanMs: 500, reservedForUrgent: 10 },
    { now: () => now, pause },
  )
  await limiter.enter(false, 'other')
  for (let count = 0; count < 55; count++) await limiter.enter(false, 'one')
  await limiter.enter(true, 'one')
  expect(now).toBe(0)
})

test('a user of a limiter whose others asked nothing for ten minutes has all of it', async () => {
  let now = 0
  const pause = async (ms: number) => {
    now += ms
  }
  const limiter = createRateLimiter(
    { most: 100, spanMs: 500, reservedForUrgent: 10 },
    { now: () => now, pause },
  )
  const enteredAtOnce = async (): Promise<number> => {
    const since = now
    for (let count = 0; ; count++) {
      await limiter.enter(false, 'one')
      if (now > since) return count
    }
  }
  await limiter.enter(false, 'other')
  expect(await enteredAtOnce()).toBeLessThan(70)
  now = 600_000
  expect(await enteredAtOnce()).toBe(90)
})

test('a burst of orders of two clients leaves us as the venue allows their account', async () => {
  rig = await buildBybitRig()
  const sentAt: number[] = []
  // Looked at where they leave: how far apart they arrive is up to the way, and to a machine that stands still.
  const dispatcher = noting(new Agent(), ({ path }) => {
    if (path === '/bybit/v5/order/create') sentAt.push(performance.now())
  })
  const connections = { ...openConnections(), dispatcher, close: async () => await dispatcher.destroy() }
  const [one, other] = [await rig.open('linear', { connections }), await rig.open('linear', { connections })]
  const plans = Array.from({ length: 24 }, () => planOf({ quantity: '0.001' }))
  const placed = await Promise.all(
    plans.map(async (plan, index) => await place(index % 2 === 0 ? one : other, plan)),
  )
  expect(placed.map(({ status }) => status)).toEqual(plans.map(() => 'filled'))
  expect(sentAt).toHaveLength(plans.length)
  const eleventhAfterMs = sentAt.slice(10).map((at, index) => at - (sentAt[index] ?? at))
  expect(Math.min(...eleventhAfterMs)).toBeGreaterThanOrEqual(1000)
  await connections.close()
})

test('an order that waited for its turn is withheld where it is not permitted any more', async () => {
  rig = await buildBybitRig()
  const { linear, paper } = rig
  const plans = Array.from({ length: 12 }, () => planOf({ quantity: '0.001' }))
  const begunAt = performance.now()
  // Eight have room at once; the others wait for more than a second.
  const isPermitted = (): boolean => performance.now() - begunAt < 1000
  const placements = await Promise.all(
    plans.map(async (plan) => await linear.place(plan, () => undefined, isPermitted)),
  )
  expect(placements.slice(8)).toEqual(plans.slice(8).map(() => ({ outcome: 'withheld' })))
  const sent = (await paper.journal()).map(({ clientOrderId }) => clientOrderId)
  for (const { clientOrderId } of plans.slice(8)) expect(sent).not.toContain(clientOrderId)
})

test('row 14: a request that the venue finds too often is refused', async () => {
  rig = await buildBybitRig()
  await rig.paper.addFault({ match: { path: '/v5/order/create' }, action: 'reject', code: 10006, count: 1 })
  expect(await rig.linear.place(planOf(), () => undefined)).toMatchObject({
    outcome: 'refused',
    code: 'E603',
  })
  expect(await place(rig.linear, planOf())).toMatchObject({ status: 'filled' })
})

test('row 14: nothing is sent to a venue that has banned our address', async () => {
  rig = await buildBybitRig()
  await rig.paper.addFault({ match: { path: '/v5/order/create' }, action: 'status', status: 403, count: 1 })
  expect(await rig.linear.place(planOf(), () => undefined)).toMatchObject({
    outcome: 'refused',
    code: 'E603',
  })
  const plan = planOf()
  expect(await rig.spot.place(plan, () => undefined)).toMatchObject({ outcome: 'refused', code: 'E603' })
  expect(await rig.linear.lookUp(refOf(plan))).toMatchObject({ outcome: 'unreachable' })
  expect((await rig.paper.journal()).map(({ clientOrderId }) => clientOrderId)).not.toContain(
    plan.clientOrderId,
  )
})

describe('the clock', () => {
  test('of a venue that is ahead is followed from the start', async () => {
    rig = await buildBybitRig()
    await rig.paper.addFault({ match: { wire: 'bybit' }, action: 'clock-skew', ms: 60_000 })
    const connections = openConnections()
    const venue = await rig.open('linear', { connections })
    expect(await place(venue, planOf())).toMatchObject({ status: 'filled' })
    await connections.close()
  })

  test.each(['linear', 'spot'] as const)(
    'row 21: is measured anew when the venue blames it, and the order on %s signed anew, once',
    async (market) => {
      rig = await buildBybitRig()
      const { paper } = rig
      await paper.addFault({ match: { wire: 'bybit' }, action: 'clock-skew', ms: -60_000 })
      const plan = planOf()
      expect(await place(rig[market], plan)).toMatchObject({ status: 'filled' })
      const tried = (await paper.journal()).filter(
        ({ clientOrderId }) => clientOrderId === plan.clientOrderId,
      )
      expect(tried.map(({ outcome }) => outcome)).toEqual(['rejected', 'accepted'])
      await paper.clearFaults()
      // It is measured by reads as well.
      expect(await rig[market].read('BTCUSDT')).toMatchObject({ outcome: 'read' })
    },
  )

  test('that stays so is a refusal', async () => {
    rig = await buildBybitRig()
    const { linear, paper } = rig
    await paper.addFault({ match: { path: '/v5/order/create' }, action: 'clock-skew', ms: -60_000 })
    expect(await linear.place(planOf(), () => undefined)).toMatchObject({
      outcome: 'refused',
      error: expect.stringContaining('10002'),
    })
  })
})
