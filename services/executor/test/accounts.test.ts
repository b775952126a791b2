import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { sendRequest } from '@tripline/kit/bus/request'
import { readAccount } from '@tripline/proto/executor-request'
import { type BotId, executionIdOf, type UserId } from '@tripline/proto/id'
import { partitionOf } from '@tripline/proto/subject'
import { waitFor } from '@tripline/testkit/wait-for'
import { buildRig, type Rig } from './rig.ts'
import { type SentRequests, sentRequests } from './sent-requests.ts'

const markets = [
  ['paper', 'futures'],
  ['binance', 'futures_usdt'],
  ['bybit', 'futures'],
  ['paper', 'spot'],
  ['binance', 'spot'],
  ['bybit', 'spot'],
] as const

describe.each(markets)('an account at %s %s', (exchange, marketType) => {
  const isSpot = marketType === 'spot'
  const botId = randomUUID() as BotId
  let rig: Rig
  let requests: SentRequests
  beforeAll(async () => {
    const coins = isSpot && { ETH: '0.5' }
    rig = await buildRig({
      bot: { id: botId, exchange, marketType },
      balances: { USDT: '100000', ...coins },
    })
    requests = sentRequests()
    await rig.startExecutor({ connections: requests.connections })
    await rig.paper.pinPrices('BTCUSDT', { bid: '59999.9', ask: '60000', mark: '60000' })
    await rig.paper.pinPrices('ETHUSDT', { bid: '2999.9', ask: '3000', mark: '3000' })
  })
  afterAll(async () => {
    await rig.stop()
    requests.stop()
  })

  const readFor = async (userId: UserId) =>
    await sendRequest(rig.gateway, readAccount(partitionOf(userId)), { userId, botId })
  const reading = async () => await readFor(rig.userId)
  const read = async () => {
    const { statement, error } = await reading()
    if (statement === null) throw new Error(`not read: ${error}`)
    return statement
  }
  const run = async (symbol: string, commands: string) => {
    const alertId = await rig.send(`MyBot(${symbol}) { ${commands} }`)
    expect(await rig.resultOf(alertId)).toMatchObject({ status: 'success' })
    return alertId
  }

  test('shows balances, positions and orders of all symbols, and whose each order is', async () => {
    const alertId = await run('BTCUSDT', 'market(buy, 0.02); stop(sell, 0.01, 58000)')
    await run('ETHUSDT', 'limit(buy, 0.1, 2900)')
    const executionId = executionIdOf(alertId, 0)
    const position = isSpot
      ? { entry_price: null, unrealized_pnl: null, margin: null, liquidation_price: null }
      : { entry_price: '60000', unrealized_pnl: '0', margin: expect.any(String) }
    await waitFor(async () => {
      const { positions, orders } = await read()
      return positions.some(({ symbol }) => symbol === 'BTCUSDT') && orders.length === 2
    })
    expect(await reading()).toMatchObject({ read_at: expect.any(String), error: null, error_code: null })
    expect(await read()).toMatchObject({
      equity: expect.any(String),
      available: expect.any(String),
      balances: expect.arrayContaining([expect.objectContaining({ coin: 'USDT' })]),
      positions: expect.arrayContaining([
        expect.objectContaining({ symbol: 'BTCUSDT', side: 'long', position_side: 'both', ...position }),
      ]),
      orders: expect.arrayContaining([
        expect.objectContaining({
          symbol: 'BTCUSDT',
          execution_id: executionId,
          side: 'sell',
          type: 'stop',
          trigger_price: '58000',
          amount: '0.01',
          reduce_only: !isSpot,
          protects_nothing: false,
          created_at: expect.stringMatching(/^20/),
        }),
        expect.objectContaining({
          symbol: 'ETHUSDT',
          type: 'limit',
          price: '2900',
          protects_nothing: false,
          created_at: expect.stringMatching(/^20/),
        }),
      ]),
      orders_left_out: 0,
    })
  })

  test('asks the exchange once for callers of one moment', async () => {
    const timesListed = (): number =>
      requests.sent.filter((request) => /openOrders$|order\/realtime/.test(request)).length
    const before = timesListed()
    await waitFor(async () => {
      await reading()
      return timesListed() > before
    })
    const once = timesListed()
    await Promise.all([reading(), reading(), reading()])
    expect(timesListed()).toBe(once)
  })

  test('shows why it cannot be read, and nothing to others', async () => {
    await rig.paper.addFault({ match: { method: 'GET' }, action: 'drop' })
    await waitFor(async () => (await reading()).error_code === 'E601')
    expect(await reading()).toMatchObject({ statement: null, error: expect.stringContaining('could not be') })
    await rig.paper.clearFaults()
    await expect(readFor(randomUUID() as UserId)).rejects.toThrow('API key not found')
  })
})
