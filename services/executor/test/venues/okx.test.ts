import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { AlertResult } from '@tripline/proto/alert'
import { waitFor } from '@tripline/testkit/wait-for'
import { buildRig, type Rig } from '../rig.ts'

describe.each([{ marketType: 'futures' }, { marketType: 'spot' }] as const)('at OKX on $marketType', ({ marketType }) => {
  let rig: Rig
  const run = async (commands: string): Promise<AlertResult> =>
    await rig.resultOf(await rig.send(`MyBot(BTCUSDT) { ${commands} }`))
  beforeAll(async () => {
    rig = await buildRig({ bot: { exchange: 'okx', marketType }, balances: { USDT: '100000', BTC: '0.5' } })
    await rig.startExecutor()
    await rig.paper.pinPrices('BTCUSDT', { bid: '59999.9', ask: '60000.1', mark: '60000' })
  })
  afterAll(async () => await rig.stop())

  test('runs commands', async () => {
    const result = await run('market(buy, 0.01); limit(buy, 0.01, 59000, tag=a); cancel(tag=a); balance; stop(sell, 0.01, 58000, tag=b)')
    expect(result).toMatchObject({ status: 'success' })
    await waitFor(async () => (await rig.account()).openOrders.length === 1)
  })
})
