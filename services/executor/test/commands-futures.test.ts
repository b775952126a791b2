import { beforeEach, describe, expect, test } from '@jest/globals'
import { absolute } from '@tripline/proto/decimal'
import { runningRig } from './rig-of-test.ts'
import { runCommands } from './run-commands.ts'

const rig = runningRig()
beforeEach(async () => {
  await rig.paper.pinPrices('BTCUSDT', { bid: '59999.9', ask: '60000.1', mark: '60000' })
  await run('cancel; market(position=0)')
})

const run = async (commands: string) => await runCommands(rig, commands)

/** The open orders of the account, in a few words, in the order of their prices. */
async function open(): Promise<string[]> {
  const { openOrders } = await rig.account()
  return openOrders
    .map(({ side, type, quantity, triggerPrice, price }) =>
      [side, type, absolute(quantity), absolute(triggerPrice ?? price)].join(' ').toLowerCase(),
    )
    .toSorted()
}

async function position(): Promise<string[]> {
  const { positions } = await rig.account()
  return positions.map(({ side, quantity }) => `${side} ${absolute(quantity)}`.toLowerCase())
}

describe('on futures', () => {
  test('a limit order rests', async () => {
    const [result] = await run('limit(buy, 0.01, 59000)')
    expect(result).toMatchObject({
      status: 'success',
      result: { type: 'limit', status: 'open', price: '59000' },
    })
    expect(await open()).toEqual([expect.stringMatching(/^buy limit 0.01 59000/)])
  })

  test('a limit order rests far from the market, with a warning', async () => {
    const [result] = await run('limit(buy, 0.01, 25000)')
    expect(result).toMatchObject({
      status: 'success',
      result: { status: 'open', price: '25000', warnings: [{ code: 'W707' }] },
    })
    expect(await open()).toEqual([expect.stringMatching(/^buy limit 0.01 25000/)])
  })

  test('a stop waits for its price and then closes', async () => {
    const results = await run('market(buy, 0.02); stop(sell, 100%, 58000)')
    expect(results).toMatchObject([
      { status: 'success' },
      { status: 'success', result: { status: 'untriggered', triggerPrice: '58000', reduce_only: true } },
    ])
    await rig.paper.pinPrices('BTCUSDT', { bid: '57900', ask: '57900.1', mark: '57900' })
    expect([await open(), await position()]).toEqual([[], []])
  })

  test('a stop-limit is sent as one', async () => {
    const [, result] = await run('market(buy, 0.02); stopLimit(sell, 100%, 58000, limitPrice=57900)')
    expect(result).toMatchObject({
      result: { type: 'stopLimit', triggerPrice: '58000', limit_price: '57900' },
    })
  })

  test('a stop loss alone, and a take profit alone', async () => {
    const results = await run('market(buy, 0.02); sltp(amount=100%p, sl=58000); sltp(amount=100%p, tp=62000)')
    expect(results).toMatchObject([
      { status: 'success' },
      { status: 'success', result: { stopLoss: { price: '58000' }, takeProfit: null } },
      { status: 'success', result: { stopLoss: null, takeProfit: { price: '62000' } } },
    ])
    expect(await open()).toHaveLength(2)
  })

  test('a cancel ends orders of both kinds, and then finds none', async () => {
    const [, , canceled, again] = await run(
      'limit(buy, 0.01, 59000); stop(sell, 0.01, 58000); cancel; cancel',
    )
    expect(canceled).toMatchObject({ status: 'success', result: { cancelled_count: 2 } })
    expect(again).toMatchObject({ status: 'success', result: { code: 'N802', cancelled_count: 0 } })
    expect(await open()).toEqual([])
  })

  test('a cancel ends only the orders it names', async () => {
    await run('limit(buy, 0.01, 59000, tag=a); limit(buy, 0.01, 58000, tag=b); stop(sell, 0.01, 57000)')
    const [byTag] = await run('cancel(tag=a)')
    expect(byTag).toMatchObject({ result: { cancelled_count: 1, cancelled: [{ price: '59000' }] } })
    expect(await open()).toHaveLength(2)
    const [stops] = await run('cancel(stop)')
    expect(stops).toMatchObject({ result: { cancelled_count: 1 } })
    const [session] = await run('cancel(session)')
    expect(session).toMatchObject({ result: { code: 'N802' } })
    const [, own] = await run('limit(buy, 0.01, 57000); cancel(session)')
    expect(own).toMatchObject({ result: { cancelled_count: 1 } })
  })

  test('settings are changed, and one that is so already is a success', async () => {
    const [changed, unchanged] = await run('exchangeSettings(leverage=7); exchangeSettings(leverage=7)')
    expect(changed).toMatchObject({ status: 'success', result: { leverage: '7' } })
    expect(unchanged).toMatchObject({
      status: 'success',
      result: { changed: false, note: expect.stringContaining('margin mode was left alone') },
    })
  })

  test('hedge mode holds both sides apart', async () => {
    await run('exchangeSettings(positionMode=hedge)')
    const results = await run(
      'market(buy, 0.02, positionSide=long); market(sell, 0.01, positionSide=short); market(position=0, positionSide=long)',
    )
    expect(results.map(({ status }) => status)).toEqual(['success', 'success', 'success'])
    expect(await position()).toEqual(['short 0.01'])
    await run('market(position=0, positionSide=short); exchangeSettings(positionMode=oneWay)')
  })

  test('a wait lets others pass and goes on behind them', async () => {
    const waiting = await rig.send('MyBot(ETHUSDT) { wait(3); market(sell, 0.1) }')
    const passing = await rig.send('MyBot(ETHUSDT) { market(buy, 0.1) }')
    await rig.resultOf(passing)
    const result = await rig.resultOf(waiting)
    expect(result).toMatchObject({
      status: 'success',
      executions: [{ commands: [{ result: { duration: 3000 } }, { status: 'success' }] }],
    })
    const orders = (await rig.paper.journal()).filter(({ symbol }) => symbol === 'ETHUSDT')
    expect(orders.map(({ clientOrderId }) => clientOrderId)).toEqual([`t${passing}00000`, `t${waiting}00100`])
  })

  test.each([
    ['exchangeSettings(maxOrderSize=1)', 'E404', 'set with the bot'],
    ['exchangeSettings(leverage=126)', 'E310', '126'],
    ['stop(sell, 0.01, 58000, trigger=index)', 'E404', 'trigger=index'],
  ])('an impossible command is refused before anything runs: %s', async (command, code, said) => {
    const result = await rig.resultOf(await rig.send(`MyBot(BTCUSDT) { market(buy, 0.01); ${command} }`))
    expect(result).toMatchObject({
      outcome: 'refused',
      diagnostics: [{ code, command: 1, message: expect.stringContaining(said) }],
    })
  })
})
