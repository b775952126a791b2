import { beforeEach, describe, expect, test } from '@jest/globals'
import { buildRig } from './rig.ts'
import { runningRig } from './rig-of-test.ts'
import { runCommands } from './run-commands.ts'

const rig = runningRig({ bot: { marketType: 'spot' }, balances: { USDT: '10000', BTC: '0.1' } })
beforeEach(async () => {
  await rig.paper.pinPrices('BTCUSDT', { bid: '59999.99', ask: '60000' })
  await run('cancel')
})

const run = async (commands: string) => await runCommands(rig, commands)

async function openCount(): Promise<number> {
  return (await rig.account()).openOrders.length
}

describe('on spot', () => {
  test('limits and stops rest, and are canceled', async () => {
    const results = await run('limit(buy, 0.01, 59000); stop(sell, 0.01, 58000); cancel')
    expect(results).toMatchObject([
      { status: 'success', result: { type: 'limit', status: 'open' } },
      { status: 'success', result: { type: 'stop', triggerPrice: '58000' } },
      { status: 'success', result: { cancelled_count: 2 } },
    ])
    expect(await openCount()).toBe(0)
  })

  test('the exchange itself holds a pair: one leg ends the other', async () => {
    const [result] = await run('oco { limit(sell, 0.02, 62000); stop(sell, 0.02, 58000) }')
    expect(result).toMatchObject({ status: 'success', result: { orders_count: 2, kept_by: 'venue' } })
    expect(await openCount()).toBe(2)
    await rig.paper.pinPrices('BTCUSDT', { bid: '62000.1', ask: '62000.2' })
    expect(await openCount()).toBe(0)
  })

  test('a cancel counts both orders of such a pair, of which the exchange ends one by itself', async () => {
    await run('oco { limit(sell, 0.02, 62000); stop(sell, 0.02, 58000) }')
    const [result] = await run('cancel')
    expect(result).toMatchObject({ status: 'success', result: { cancelled_count: 2 } })
    expect(await openCount()).toBe(0)
  })

  test('a stop loss with a take profit is such a pair', async () => {
    const [result] = await run('sltp(side=sell, amount=0.02, sl=58000, tp=62000)')
    expect(result).toMatchObject({
      status: 'success',
      result: { stopLoss: { triggerPrice: '58000' }, takeProfit: { triggerPrice: '62000' } },
    })
    expect(await openCount()).toBe(2)
  })

  test('a pair whose answer is lost is found and not sent again', async () => {
    await rig.paper.addFault({
      match: { path: '/api/v3/orderList', method: 'POST' },
      action: 'accept-then-drop',
      count: 1,
    })
    const [result] = await run('oco { limit(sell, 0.02, 62000); stop(sell, 0.02, 58000) }')
    expect(result).toMatchObject({ status: 'success', result: { orders_count: 2 } })
    expect(await openCount()).toBe(2)
  })

  test('three orders of which one ends the others are refused before anything runs', async () => {
    const oco = 'oco { limit(sell, 0.01, 62000); stop(sell, 0.01, 58000); limit(sell, 0.01, 63000) }'
    const result = await rig.resultOf(await rig.send(`MyBot(BTCUSDT) { market(buy, 0.01); ${oco} }`))
    expect(result).toMatchObject({
      outcome: 'refused',
      diagnostics: [{ code: 'E404', command: 1, message: expect.stringContaining('pairs') }],
    })
  })
})

test('a rest below the least order of the exchange is nothing to close', async () => {
  const other = await buildRig({ bot: { marketType: 'spot' }, balances: { USDT: '100', BTC: '0.00005' } })
  try {
    await other.startExecutor()
    const result = await other.resultOf(await other.send('MyBot(BTCUSDT) { market(position=0); balance }'))
    expect(result).toMatchObject({
      executions: [{ commands: [{ status: 'success', result: { code: 'N803' } }, { status: 'success' }] }],
    })
    const taken = (await other.paper.journal()).filter(({ outcome }) => outcome === 'accepted')
    expect(taken).toEqual([])
  } finally {
    await other.stop()
  }
})
