import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import type { UserId } from '@tripline/proto/id'
import { paperExchange, type TestPaper } from '@tripline/testkit/paper-exchange'
import { waitFor } from '@tripline/testkit/wait-for'
import { readLimitTable } from '../../src/venue/binance/limit-table.ts'
import { type AddressUsage, createAddressUsage, createLimits } from '../../src/venue/binance/limits.ts'
import { countedConnections } from '../counted-connections.ts'
import { newId, openTrader, planOf, refOf, type Trader } from './binance-rig.ts'

let paper: TestPaper
let trader: Trader
beforeAll(async () => {
  paper = await paperExchange({ PAPER_LIMITS: 'on' })
  await paper.pinPrices('BTCUSDT', { bid: '60000', ask: '60000', last: '60000', mark: '60000' })
})
afterEach(async () => {
  await paper.clearFaults()
  await trader.close()
})
afterAll(async () => await paper.stop())

const symbol = 'BTCUSDT'
const sale = { side: 'sell' } as const
const exit = { ...sale, reduceOnly: true } as const
const limit = () => ({ clientOrderId: newId(), type: 'limit', price: '59000', timeInForce: 'gtc' }) as const

describe('row 14: an account that was reported to wait', () => {
  test('sends exits and cancels, and the reads they depend on, and nothing else', async () => {
    trader = await openTrader(paper, 'futures')
    await trader.placed({ quantity: '0.050' })
    const resting = limit()
    await trader.placed(resting)
    const match = { apiKey: trader.apiKey, path: '/fapi/v1/order', method: 'POST' }
    await paper.addFault({ match, action: 'status', status: 429, retryAfterS: 600, count: 1 })
    expect(await trader.place({})).toMatchObject({ outcome: 'refused', code: 'E603' })
    const held = planOf({})
    expect(await trader.venue.place(held, () => undefined)).toMatchObject({
      outcome: 'refused',
      code: 'E603',
      error: expect.stringMatching(/^Not sent: /),
    })
    expect((await paper.journal()).some(({ clientOrderId }) => clientOrderId === held.clientOrderId)).toBe(
      false,
    )
    expect(await trader.venue.read(symbol)).toMatchObject({ outcome: 'unreachable' })
    expect(await trader.venue.openOrders(symbol)).toMatchObject({ outcome: 'unreachable' })
    expect(await trader.venue.read(symbol, { isUrgent: true })).toMatchObject({ outcome: 'read' })
    expect(await trader.venue.openOrders(symbol, true)).toMatchObject({ orders: [{ status: 'open' }] })
    expect(await trader.venue.lookUp(refOf(resting))).toMatchObject({ outcome: 'found' })
    expect(await trader.place(exit)).toMatchObject({ outcome: 'done' })
    expect(await trader.venue.cancel(refOf(resting))).toMatchObject({ outcome: 'canceled' })
  })

  test('goes on once the time is over', async () => {
    trader = await openTrader(paper, 'futures')
    const match = { apiKey: trader.apiKey, path: '/fapi/v1/order' }
    await paper.addFault({ match, action: 'status', status: 429, count: 1 })
    expect(await trader.place({})).toMatchObject({ outcome: 'refused' })
    await waitFor(async () => (await trader.place({})).outcome === 'done')
  })

  test('sends nothing at all while it is banned', async () => {
    trader = await openTrader(paper, 'futures')
    const match = { apiKey: trader.apiKey, path: '/fapi/v1/order' }
    await paper.addFault({ match, action: 'status', status: 418, count: 1 })
    expect(await trader.place({})).toMatchObject({ outcome: 'refused', code: 'E603' })
    expect(await trader.place(exit)).toMatchObject({ outcome: 'refused', code: 'E603' })
  })
})

test('an account near the orders it may place keeps the rest for exits', async () => {
  // Orders that rest are not given back to the count, which is 100 in 10 s by the venue's clock.
  const outcomes = await withinTenSeconds(async () => {
    trader = await openTrader(paper, 'spot')
    const entry = async () => (await trader.place({ ...limit(), quantity: '0.00100' })).outcome
    const first = await Promise.all(Array.from({ length: 89 }, entry))
    return { first: new Set(first), last: [await entry(), await entry()], exit: await trader.place(sale) }
  })
  expect(outcomes).toMatchObject({
    first: new Set(['done']),
    last: ['done', 'refused'],
    exit: { outcome: 'done' },
  })
})

/** Repeats an act until no count of 10 s ends meanwhile. */
async function withinTenSeconds<Result>(act: () => Promise<Result>): Promise<Result> {
  const turn = () => Math.floor(Date.now() / 10_000)
  for (;;) {
    const before = turn()
    const result = await act()
    if (turn() === before) return result
    await trader.close()
  }
}

test('an account that asks all it may costs another its share, neither entries nor questions', async () => {
  const connections = countedConnections()
  const [attacker, victim] = await Promise.all(
    [randomUUID(), randomUUID()].map(
      async (id) => await openTrader(paper, 'futures', { connections, userId: id as UserId }),
    ),
  )
  if (attacker === undefined || victim === undefined) throw new Error('no traders')
  trader = attacker
  const readings = async (): Promise<string[]> =>
    await Promise.all(Array.from({ length: 50 }, async () => (await attacker.venue.read(symbol)).outcome))
  let last = await readings()
  for (let round = 0; round < 40 && last.includes('read'); round++) last = await readings()
  expect(new Set(last)).toEqual(new Set(['unreachable']))
  expect(await victim.venue.read(symbol)).toMatchObject({ outcome: 'read' })
  expect(await victim.place({})).toMatchObject({ outcome: 'done' })
  expect(await victim.place(exit)).toMatchObject({ outcome: 'done' })
  expect(await attacker.place(exit)).not.toMatchObject({ code: 'E603' })
  await victim.close()
})

test("many cancels of orders that were placed by hand leave another user's needs, and go on when there is room", async () => {
  const connections = countedConnections()
  const [attacker, victim] = await Promise.all(
    [randomUUID(), randomUUID()].map(
      async (id) => await openTrader(paper, 'futures', { connections, userId: id as UserId }),
    ),
  )
  if (attacker === undefined || victim === undefined) throw new Error('no traders')
  trader = attacker
  const resting = Array.from({ length: 100 }, () => planOf({ ...limit(), quantity: '0.002' }))
  for (const order of resting) await attacker.placed(order)
  const cancelAll = async () =>
    await Promise.all(resting.map(async (order) => (await attacker.venue.cancel(refOf(order))).outcome))
  // The attacker's reads count too: they are repeated where a new minute begins meanwhile.
  await waitFor(async () => {
    for (let round = 0; round < 40; round++) {
      const read = async () => (await attacker.venue.read(symbol)).outcome
      const readings = await Promise.all(Array.from({ length: 50 }, read))
      if (!readings.includes('read')) break
    }
    return (await cancelAll()).includes('heldBack')
  })
  const own = limit()
  expect(await victim.place(own)).toMatchObject({ outcome: 'done' })
  expect(await victim.venue.cancel(refOf(planOf(own)))).toMatchObject({ outcome: 'canceled' })
  expect(await victim.venue.read(symbol)).toMatchObject({ outcome: 'read' })
  expect(await victim.place({})).toMatchObject({ outcome: 'done' })
  expect(await victim.place(exit)).toMatchObject({ outcome: 'done' })
  await victim.close()
})

test('where a venue counts by accounts, one that is reported to wait keeps no other waiting', async () => {
  const own = await paperExchange({ PAPER_LIMITS: 'accounts' })
  await own.pinPrices('BTCUSDT', { bid: '60000', ask: '60000', last: '60000', mark: '60000' })
  const connections = countedConnections()
  const [one, other] = [
    await openTrader(own, 'futures', { connections }),
    await openTrader(own, 'futures', { connections }),
  ]
  trader = other
  await Promise.all(Array.from({ length: 600 }, async () => await one.venue.read(symbol)))
  const path = '/fapi/v1/order'
  const match = { apiKey: one.apiKey, path, method: 'POST' }
  await own.addFault({ match, action: 'status', status: 429, retryAfterS: 600, count: 1 })
  await one.place({})
  expect(await one.place({})).toMatchObject({ code: 'E603' })
  expect(await other.venue.read(symbol)).toMatchObject({ outcome: 'read' })
  expect(await other.place({})).toMatchObject({ outcome: 'done' })
  await one.close()
  await own.stop()
})

describe('limits', () => {
  const rateLimits = [
    { rateLimitType: 'REQUEST_WEIGHT', interval: 'MINUTE', intervalNum: 1, limit: 2400 },
    { rateLimitType: 'ORDERS', interval: 'SECOND', intervalNum: 10, limit: 300 },
  ]
  const info = JSON.stringify({ timezone: 'UTC', rateLimits })
  const limited = (): AddressUsage => {
    const table = readLimitTable(info, 'binance-futures')
    if (table === undefined) throw new Error('no limits')
    return { ...createAddressUsage(), table }
  }
  const headers = (weight: number) => ({ 'x-mbx-used-weight-1m': `${weight}` })
  const answer = (weight: number) => ({ status: 200, text: '', headers: headers(weight) })

  test('object to nothing on an idle client', () => {
    const limits = createLimits(limited(), () => 0)
    for (const urgency of ['entry', 'read', 'exit'] as const)
      expect(limits.objectionTo(urgency)).toBeUndefined()
  })

  test('that the venue does not have bind nobody', () => {
    const limits = createLimits(createAddressUsage(), () => 0)
    limits.heed(answer(1_000_000))
    expect(limits.objectionTo('entry')).toBeUndefined()
  })

  test('of the account with the least left are reported its address', () => {
    const address = limited()
    const [one, other] = [0, 1].map(() => createLimits(address, () => 0))
    const sent = (count: number) => ({
      status: 200,
      text: '',
      headers: { 'x-mbx-order-count-10s': `${count}` },
    })
    one?.heed(sent(75))
    other?.heed(sent(3))
    expect(address.accounts.read()).toBe(0.75)
    other?.heed({ status: 429, text: '{"code":-1015,"msg":"Too many new orders."}', headers: {} })
    expect(address.accounts.read()).toBe(0)
  })

  test('leave room for others, whatever one user asks, and all of it to one who is alone', () => {
    const usedBy = (users: string[]): number => {
      const address = limited()
      const [one] = users.map((user) => createLimits(address, () => 0, user))
      let weight = 0
      while (weight < 2400 && one?.objectionTo('read') === undefined) {
        weight += 5
        one?.heed(answer(weight))
      }
      return weight
    }
    expect(usedBy(['one'])).toBe(0.7 * 2400)
    expect(usedBy(['one', 'other'])).toBe(1120)
  })

  test('are all for the one who is left where the others asked nothing for ten minutes', () => {
    let now = 0
    const address = limited()
    const [one, other] = ['one', 'other'].map((user) => createLimits(address, () => now, user))
    const askMuch = (): void => {
      for (let weight = 40; weight <= 1200; weight += 40) one?.heed(answer(weight))
    }
    now = 540_000
    askMuch()
    expect(one?.objectionTo('read')).toContain('this minute')
    now = 600_000
    askMuch()
    expect(one?.objectionTo('read')).toBeUndefined()
    expect(other?.objectionTo('read')).toBeUndefined()
    expect(one?.objectionTo('read')).toContain('this minute')
  })

  test('count questions that are not answered yet', () => {
    const address = limited()
    const [one, other] = ['one', 'other'].map((user) => createLimits(address, () => 0, user))
    const leave = Array.from({ length: 224 }, () => one?.enter())
    expect(one?.objectionTo('read')).toContain('this minute')
    expect(other?.objectionTo('read')).toBeUndefined()
    for (const answered of leave) answered?.()
    expect(one?.objectionTo('read')).toBeUndefined()
  })

  test('leave room for others, however many exits one user sends', () => {
    const address = limited()
    const [one, other] = ['one', 'other'].map((user) => createLimits(address, () => 0, user))
    let weight = 0
    while (weight < 2400 && one?.objectionTo('exit') === undefined) {
      weight += 5
      one?.heed(answer(weight))
    }
    for (const urgency of ['entry', 'read', 'exit'] as const)
      expect(other?.objectionTo(urgency)).toBeUndefined()
    other?.heed(answer(2400))
    expect(other?.objectionTo('exit')).toBeUndefined()
  })

  test('leave room for others, however many cancel how much, but a few cancels go on', () => {
    const address = limited()
    const attackers = Array.from({ length: 12 }, (_, index) =>
      createLimits(address, () => 0, `attacker ${index}`),
    )
    const other = createLimits(address, () => 0, 'other')
    let weight = 0
    const canceled = attackers.map((attacker) => {
      for (let count = 0; ; count++) {
        try {
          attacker.enterCancel()()
        } catch {
          return count
        }
        weight++
        attacker.heed(answer(weight))
      }
    })
    expect(weight).toBeLessThan(0.7 * 2400)
    expect(Math.min(...canceled)).toBeGreaterThanOrEqual(48)
    for (const urgency of ['entry', 'read', 'exit'] as const)
      expect(other.objectionTo(urgency)).toBeUndefined()
    for (let count = 0; count < 48; count++) other.enterCancel()()
  })

  test('hold back cancels of one user who is alone before they take the needs of a newcomer, until the next minute', () => {
    let now = 0
    const address = limited()
    const one = createLimits(address, () => now, 'one')
    one.heed(answer(0.5 * 2400))
    for (let count = 0; count < 48; count++) one.enterCancel()()
    expect(() => one.enterCancel()).toThrow('this minute')
    expect(createLimits(address, () => now, 'other').objectionTo('entry')).toBeUndefined()
    now = 60_000
    one.enterCancel()()
  })

  test('hold back no exit where they hold back no entry', () => {
    const address = limited()
    const [one] = ['one', 'other'].map((user) => createLimits(address, () => 0, user))
    let weight = 0
    while (weight < 2400 && one?.objectionTo('entry') === undefined) {
      expect([weight, one?.objectionTo('exit')]).toEqual([weight, undefined])
      weight += 5
      one?.heed(answer(weight))
    }
    expect(weight).toBeLessThan(2400)
  })

  test('are those of the whole address, and new with each minute', () => {
    let now = 60_000
    const address = limited()
    const [one, other] = [0, 1].map(() => createLimits(address, () => now))
    one?.heed(answer(1700))
    expect(other?.objectionTo('read')).toContain('this minute')
    expect(other?.objectionTo('entry')).toBeUndefined()
    one?.heed(answer(2290))
    // An older answer that comes later changes nothing.
    one?.heed(answer(10))
    expect(other?.objectionTo('entry')).toContain('this minute')
    expect(other?.objectionTo('exit')).toBeUndefined()
    now = 120_000
    for (const urgency of ['entry', 'read'] as const) expect(other?.objectionTo(urgency)).toBeUndefined()
  })
})
