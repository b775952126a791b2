import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { paperExchange, type TestPaper } from '@tripline/testkit/paper-exchange'
import { waitFor } from '@tripline/testkit/wait-for'
import { readLimitTable } from '../../src/venue/binance/limit-table.ts'
import { type AddressUsage, createAddressUsage, createLimits } from '../../src/venue/binance/limits.ts'
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

describe('row 14: an account that was told to wait', () => {
  test('sends exits and cancels, and asks what they hang on, and nothing else', async () => {
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

/** What this comes to where no count of 10 s ends meanwhile. */
async function withinTenSeconds<Result>(act: () => Promise<Result>): Promise<Result> {
  const turn = () => Math.floor(Date.now() / 10_000)
  for (;;) {
    const before = turn()
    const result = await act()
    if (turn() === before) return result
    await trader.close()
  }
}

describe('limits', () => {
  const rateLimits = [
    { rateLimitType: 'REQUEST_WEIGHT', interval: 'MINUTE', intervalNum: 1, limit: 2400 },
    { rateLimitType: 'ORDERS', interval: 'SECOND', intervalNum: 10, limit: 300 },
  ]
  const info = JSON.stringify({ timezone: 'UTC', rateLimits })
  const limited = (): AddressUsage => {
    const table = readLimitTable(info)
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

  test('of the account with the least left are told of its address', () => {
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

  test('are those of the whole address, and new with each minute', () => {
    let now = 60_000
    const address = limited()
    const [one, other] = [0, 1].map(() => createLimits(address, () => now))
    one?.heed(answer(2200))
    expect(other?.objectionTo('entry')).toContain('this minute')
    expect(other?.objectionTo('read')).toBeUndefined()
    one?.heed(answer(2350))
    // An older answer that comes later changes nothing.
    one?.heed(answer(10))
    expect(other?.objectionTo('read')).toContain('this minute')
    expect(other?.objectionTo('exit')).toBeUndefined()
    now = 120_000
    for (const urgency of ['entry', 'read'] as const) expect(other?.objectionTo(urgency)).toBeUndefined()
  })
})
