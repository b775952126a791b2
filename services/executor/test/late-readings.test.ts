import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import type { AlertResult } from '@tripline/proto/alert'
import { isZero, subtract } from '@tripline/proto/decimal'
import { closeByHand } from './close-by-hand.ts'
import { buildRig, type Rig } from './rig.ts'
import { runningRig } from './rig-of-test.ts'

// Longer than readings of Binance usually lag, and shorter than the 20 s that were reported.
const lagMs = 2500

describe.each([
  ['paper', 'futures'],
  ['binance', 'futures_usdt'],
  ['paper', 'spot'],
  ['binance', 'spot'],
  ['bybit', 'futures'],
  ['bybit', 'spot'],
] as const)('readings at %s %s show an own fill late', (exchange, marketType) => {
  const isSpot = marketType === 'spot'
  let rig: Rig
  beforeAll(async () => {
    rig = await buildRig({ bot: { exchange, marketType }, balances: { USDT: '100000' } })
    await rig.startExecutor()
    await rig.paper.pinPrices('BTCUSDT', { bid: '59999.9', ask: '60000', mark: '60000' })
  })
  afterAll(async () => await rig.stop())
  afterEach(async () => {
    await rig.paper.clearFaults()
    await run('cancel; market(position=0)')
    expect(await held()).toEqual([])
  })

  const run = async (commands: string): Promise<AlertResult> =>
    await rig.resultOf(await rig.send(`MyBot(BTCUSDT) { ${commands} }`))
  /** Readings lag from now on, and the private stream, which would report at once, does not. */
  async function lag(): Promise<void> {
    await rig.paper.addFault({ match: { method: 'GET' }, action: 'read-lag', ms: lagMs })
    if (exchange !== 'bybit') await rig.paper.addFault({ match: {}, action: 'silent-stream' })
  }

  async function held(): Promise<string[]> {
    const { positions, balances } = await rig.account()
    const amounts = isSpot ? [balances['BTC'] ?? '0'] : positions.map(({ quantity }) => quantity)
    return amounts.filter((amount) => !isZero(amount)).map((amount) => subtract(amount, '0'))
  }

  test('and an exit behind it in one alert closes it', async () => {
    await lag()
    expect(await run('market(buy, 0.02); market(position=0)')).toMatchObject({ status: 'success' })
    expect(await held()).toEqual([])
  })

  test('and an exit by another alert closes all of it', async () => {
    await run('market(buy, 0.01)')
    await lag()
    await run('market(buy, 0.02)')
    expect(await run('market(position=0)')).toMatchObject({ status: 'success' })
    expect(await held()).toEqual([])
  })

  test('and a pair behind it protects all of it', async () => {
    await lag()
    const { status, executions } = (await run(
      'market(buy, 0.02); sltp(amount=100%p, sl=2%, tp=4%)',
    )) as Extract<AlertResult, { outcome: 'executed' }>
    expect({
      status,
      errors: executions.flatMap(({ commands }) => commands.map(({ error }) => error)),
    }).toEqual({
      status: 'success',
      errors: [null, null],
    })
    // The other leg of a pair at Bybit's spot is ours to keep.
    expect((await rig.account()).openOrders).toHaveLength(exchange === 'bybit' && isSpot ? 1 : 2)
  })
})

describe.each([
  ['paper', 'futures'],
  ['binance', 'futures_usdt'],
  ['bybit', 'futures'],
] as const)('readings at %s %s show late that a position was closed by hand', (exchange, marketType) => {
  const rig = runningRig({ bot: { exchange, marketType }, balances: { USDT: '100000' } })

  test('and an exit behind that is done, with nothing placed, as are the commands behind it', async () => {
    const run = async (commands: string): Promise<AlertResult> =>
      await rig.resultOf(await rig.send(`MyBot(BTCUSDT) { ${commands} }`))
    await run('market(buy, 0.02); limit(buy, 0.01, offset=2%)')
    await rig.paper.addFault({ match: { method: 'GET' }, action: 'read-lag', ms: lagMs })
    await rig.paper.addFault({ match: {}, action: 'silent-stream' })
    await closeByHand(rig, exchange)
    const { status, executions } = (await run('market(position=0); cancel')) as Extract<
      AlertResult,
      { outcome: 'executed' }
    >
    expect({
      status,
      results: executions.flatMap(({ commands }) => commands.map(({ result }) => result)),
    }).toEqual({
      status: 'success',
      results: [{ code: 'N802', note: expect.any(String) }, expect.objectContaining({ cancelled_count: 1 })],
    })
    expect(await rig.account()).toMatchObject({ positions: [], openOrders: [] })
  })
})

describe('a wallet at Bybit futures shows an own fill late', () => {
  let rig: Rig
  beforeAll(async () => {
    rig = await buildRig({
      bot: { exchange: 'bybit', marketType: 'futures' },
      balances: { USDT: '100000' },
    })
    await rig.startExecutor()
    await rig.paper.pinPrices('BTCUSDT', { bid: '59999.9', ask: '60000', mark: '60000' })
  })
  afterAll(async () => await rig.stop())

  test('and a share of the available coins behind it is one of those that the fill left', async () => {
    const run = async (commands: string): Promise<AlertResult> =>
      await rig.resultOf(await rig.send(`MyBot(BTCUSDT) { ${commands} }`))
    // The stream is there from the first reading on, and reports the wallet.
    await run('exchangeSettings(leverage=5); market(position=0)')
    const match = { method: 'GET', path: '/v5/account/wallet-balance' }
    await rig.paper.addFault({ match, action: 'read-lag', ms: lagMs })
    const result = await run('market(buy, 1); market(buy, 50%a)')
    const [, second] = result.outcome === 'executed' ? (result.executions[0]?.commands ?? []) : []
    // 60,000 at a fifth of margin, and the fee, are taken.
    expect(second).toMatchObject({
      status: 'success',
      result: { sizing: expect.stringMatching(/= 439\d\d(\.\d+)? USDT at/) },
    })
  })
})

describe('a wallet at Bybit spot shows an own fill late', () => {
  let rig: Rig
  beforeAll(async () => {
    rig = await buildRig({ bot: { exchange: 'bybit', marketType: 'spot' }, balances: { USDT: '100000' } })
    await rig.startExecutor()
    await rig.paper.pinPrices('BTCUSDT', { bid: '59999.9', ask: '60000' })
  })
  afterAll(async () => await rig.stop())

  test('and all that is held is sold behind it', async () => {
    const run = async (commands: string): Promise<AlertResult> =>
      await rig.resultOf(await rig.send(`MyBot(BTCUSDT) { ${commands} }`))
    // The stream is there from the first reading on, and reports orders and the wallet.
    await run('market(buy, 1%)')
    await rig.paper.addFault({ match: { method: 'GET' }, action: 'read-lag', ms: lagMs })
    expect(await run('market(buy, 0.5); market(sell, 100%)')).toMatchObject({ status: 'success' })
    expect(Number((await rig.account()).balances['BTC'])).toBeLessThan(0.0001)
  })
})
