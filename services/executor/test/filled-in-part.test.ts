import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { buildRig, type Rig } from './rig.ts'
import { runCommands } from './run-commands.ts'

const W708 = { code: 'W708', text: expect.stringMatching(/was filled, and the exchange ended the rest as/) }

describe.each([
  ['binance', 'futures_usdt'],
  ['bybit', 'futures'],
  ['binance', 'spot'],
  ['bybit', 'spot'],
] as const)('an order that the exchange fills in part, at %s %s', (exchange, marketType) => {
  let rig: Rig
  beforeAll(async () => {
    rig = await buildRig({ bot: { exchange, marketType }, balances: { USDT: '10000' } })
    await rig.paper.pinPrices('BTCUSDT', { bid: '59999.9', ask: '60000', mark: '60000' })
    await rig.startExecutor()
  })
  afterAll(async () => await rig.stop())

  const run = async (commands: string) => await runCommands(rig, commands)

  async function fillInPart(): Promise<void> {
    await rig.paper.addFault({ match: {}, action: 'partial-fill', ratio: '0.4', count: 1 })
  }

  test('succeeds with a warning, as an entry and as an exit; the next exit closes the rest', async () => {
    await fillInPart()
    expect(await run('market(buy, 0.05)')).toMatchObject([
      { status: 'success', result: { warnings: [W708] } },
    ])
    await fillInPart()
    expect(await run('market(sell, 100%)')).toMatchObject([
      { status: 'success', result: { warnings: expect.arrayContaining([W708]) } },
    ])
    const [closed] = await run('market(sell, 100%)')
    // On spot the fee is paid in coins.
    const filled = marketType === 'spot' ? expect.stringMatching(/^0\.0119/) : '0.012'
    expect(closed).toMatchObject({ status: 'success', result: { status: 'filled', filled } })
    expect(JSON.stringify(closed)).not.toContain('W708')
  })

  test('has none where it may trade at once and rests then', async () => {
    await fillInPart()
    expect(JSON.stringify(await run('limit(buy, 0.05, 60010)'))).not.toContain('W708')
    await run('cancel; market(position=0)')
  })

  test('has one where the part that does not trade at once is not to rest', async () => {
    await fillInPart()
    expect(await run('limit(buy, 0.05, 60010, tif=ioc)')).toMatchObject([
      { status: 'success', result: { warnings: expect.arrayContaining([W708]) } },
    ])
  })
})
