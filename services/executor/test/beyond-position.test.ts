import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { isZero, subtract } from '@tripline/proto/decimal'
import { waitFor } from '@tripline/testkit/wait-for'
import { buildRig, type Rig } from './rig.ts'
import { runCommands } from './run-commands.ts'

const W705 = { code: 'W705', text: '0.2 BTC is more than the position, 0.1 BTC: it closes what is held' }

describe.each([
  { exchange: 'paper', marketType: 'futures', positionSide: 'both' },
  { exchange: 'binance', marketType: 'futures_usdt', positionSide: 'both' },
  { exchange: 'bybit', marketType: 'futures', positionSide: 'both' },
  { exchange: 'bybit', marketType: 'futures', positionSide: 'long' },
] as const)('more than the position, to reduce it, at $exchange ($positionSide)', (market) => {
  const { exchange, marketType, positionSide } = market
  const of = positionSide === 'both' ? '' : `, positionSide=${positionSide}`
  const close = `market(position=0${of})`
  let rig: Rig
  beforeAll(async () => {
    rig = await buildRig({ bot: { exchange, marketType }, balances: { USDT: '100000' } })
    await rig.startExecutor()
    await pin('60000')
    if (of !== '') await runCommands(rig, 'exchangeSettings(positionMode=hedge)')
  })
  afterAll(async () => await rig.stop())
  afterEach(async () => {
    await pin('60000')
    await runCommands(rig, `cancel; ${close}`)
  })

  const pin = async (bid: string): Promise<void> =>
    await rig.paper.pinPrices('BTCUSDT', { bid, ask: subtract(bid, '-0.1'), last: bid, mark: bid })
  const held = async (): Promise<string[]> =>
    (await rig.account()).positions.map(({ quantity }) => quantity).filter((quantity) => !isZero(quantity))

  test('is reported in the preview and in the result, and closes the position', async () => {
    const sale = `market(sell, 0.2, reduceOnly=true${of})`
    await runCommands(rig, `market(buy, 0.1${of})`)
    expect(await rig.plan(`MyBot(BTCUSDT) { ${sale} }`)).toMatchObject([
      { commands: [{ outcome: 'orders', orders: [{ warnings: [W705] }] }] },
    ])
    expect(await runCommands(rig, sale)).toMatchObject([
      {
        status: 'success',
        result: {
          filled: '0.1',
          warnings: [
            { code: 'W705', text: expect.stringMatching(/closes what is held|closed what was held/) },
          ],
        },
      },
    ])
    expect(await held()).toEqual([])
  })

  test('is reported for each leg of a group, whose stop closes the position', async () => {
    const pair = `oco { stop(sell, 0.2, 58000${of}); limit(sell, 0.2, 62000${of}) }`
    const results = await runCommands(rig, `market(buy, 0.1${of}); ${pair}`)
    expect(results).toMatchObject([
      { status: 'success' },
      { status: 'success', result: { orders: [{ warnings: [W705] }, { warnings: [W705] }] } },
    ])
    await pin('57900')
    await waitFor(async () => (await held()).length === 0)
    await waitFor(async () => (await rig.account()).openOrders.length === 0)
  })
})
