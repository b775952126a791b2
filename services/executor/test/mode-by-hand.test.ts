import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { buildRig, type Rig } from './rig.ts'
import { runCommands } from './run-commands.ts'

describe.each([
  ['binance', 'futures_usdt'],
  ['bybit', 'futures'],
] as const)('a position mode that is changed by hand at %s', (exchange, marketType) => {
  let rig: Rig
  beforeAll(async () => {
    rig = await buildRig({ bot: { exchange, marketType }, balances: { USDT: '10000' } })
    await rig.paper.pinPrices('BTCUSDT', { bid: '59999.9', ask: '60000', mark: '60000' })
    await rig.startExecutor()
  })
  afterAll(async () => await rig.stop())

  const run = async (commands: string) => await runCommands(rig, commands)

  async function changeByHand(positionMode: 'one-way' | 'hedge'): Promise<void> {
    await rig.paper.setTerms(rig.credentials.apiKey, { positionMode })
  }

  test('is asked for before an order is refused for it', async () => {
    expect(await run('balance; market(sell, 1%, positionSide=long)')).toMatchObject([
      {},
      { errorCode: 'E405' },
    ])
    await changeByHand('hedge')
    const pair = 'stop(buy, 10%, 62000, positionSide=long); limit(buy, 10%, 58000, positionSide=long)'
    expect(await run(`oco { ${pair} }`)).toMatchObject([{ status: 'success', error: null }])
    await run('cancel')
    await changeByHand('one-way')
    expect(await run('market(sell, 10%)')).toMatchObject([
      { status: 'success', result: { status: 'filled' } },
    ])
    await run('market(position=0)')
  })

  test('refuses orders that do not fit it', async () => {
    await run('exchangeSettings(positionMode=hedge)')
    expect(await run('market(sell, 100%)')).toMatchObject([{ status: 'failed', errorCode: 'E405' }])
    await run('exchangeSettings(positionMode=oneWay)')
    expect(await run('market(sell, 100%, positionSide=long)')).toMatchObject([
      { status: 'failed', errorCode: 'E405' },
    ])
  })
})
