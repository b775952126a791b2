import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import type { AlertResult } from '@tripline/proto/alert'
import type { AlertId } from '@tripline/proto/id'
import { isLongRun } from '@tripline/testkit/seed'
import { buildRig, type Rig } from './rig.ts'
import { provesSoon } from './with-venues.ts'

const create = { path: '/v5/order/create' }
const oco = 'oco { stop(sell, 0.02, 58000); limit(sell, 0.02, 62000) }'
const sltp = 'sltp(sell, 0.02, sl=58000, tp=62000)'
// By its id: the stop's is sent first, and is the one that rests where the two take turns.
const legs = { oco: ['0000', '0010'], sltp: ['0000', '0010'] }

describe.each([
  ['futures', 2],
  ['spot', 1],
] as const)('the orders of a group at Bybit %s whose answer is lost', (marketType, atOnce) => {
  let rig: Rig
  beforeAll(async () => {
    const coins = marketType === 'spot' && { BTC: '1' }
    rig = await buildRig({ bot: { exchange: 'bybit', marketType }, balances: { USDT: '100000', ...coins } })
    await rig.startExecutor(provesSoon)
    await rig.paper.pinPrices('BTCUSDT', { bid: '59999.9', ask: '60000.1', mark: '60000' })
    if (marketType === 'futures') await run('market(buy, 0.02)')
  })
  afterAll(async () => await rig.stop())
  afterEach(async () => {
    await rig.paper.clearFaults()
    await run('cancel')
    expect((await rig.account()).openOrders).toEqual([])
  })

  async function run(commands: string): Promise<[AlertId, AlertResult]> {
    const alertId = await rig.send(`MyBot(BTCUSDT) { ${commands} }`)
    return [alertId, await rig.resultOf(alertId)]
  }

  /** Returns an alert's orders that came to the exchange: the leg, and its outcome. */
  async function requested(alertId: AlertId): Promise<string[]> {
    return (await rig.paper.journal())
      .filter(({ op, clientOrderId }) => op === 'place' && clientOrderId?.slice(1, 27) === alertId)
      .map(({ clientOrderId, outcome }) => `${clientOrderId?.slice(28)} ${outcome}`)
  }

  test.each([
    ['oco', oco],
    ['sltp', sltp],
  ] as const)('of %s are there once, and found though reads show them late', async (kind, commands) => {
    await rig.paper.addFault({ match: { method: 'GET' }, action: 'read-lag', ms: 2500 })
    await rig.paper.addFault({ match: {}, action: 'silent-stream' })
    await rig.paper.addFault({ match: create, action: 'accept-then-drop', count: atOnce })
    const [alertId, result] = await run(commands)
    expect(result).toMatchObject({ status: 'success' })
    expect(await requested(alertId)).toEqual(legs[kind].slice(0, atOnce).map((leg) => `${leg} accepted`))
    expect((await rig.account()).openOrders).toHaveLength(atOnce)
  })

  test.each([
    ['oco', oco],
    // The proof takes ten seconds.
    ...(isLongRun ? [['sltp', sltp] as const] : []),
  ] as const)('of %s are sent again once it is proven that the first never came', async (kind, commands) => {
    // The stream is there for an order that rests, and proves it sooner than reads do.
    expect(await run('limit(buy, 0.01, 59000); wait(1)')).toMatchObject([{}, { status: 'success' }])
    await rig.paper.addFault({ match: create, action: 'drop', count: 1 })
    const [alertId, result] = await run(commands)
    expect(result).toMatchObject({ status: 'success' })
    const [first = '', ...others] = legs[kind].slice(0, atOnce)
    expect(await requested(alertId)).toEqual([
      `${first} dropped`,
      ...[first, ...others].map((leg) => `${leg} accepted`),
    ])
    expect((await rig.account()).openOrders).toHaveLength(atOnce + 1)
  })
})
