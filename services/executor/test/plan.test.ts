import { expect, test } from '@jest/globals'
import { waitFor } from '@tripline/testkit/wait-for'
import { runningRig } from './rig-of-test.ts'

const rig = runningRig()

/** The plan of one block. */
async function plan(message: string) {
  const [block] = await rig.plan(message)
  return block
}

test('a plan resolves sizes and prices at the venue, and nothing is sent', async () => {
  expect(await plan('MyBot(BTCUSDT) { market(buy, 50%); market(position=0) }')).toMatchObject({
    label: 'MyBot',
    exchange: 'paper_futures',
    outcome: 'planned',
    commands: [
      { outcome: 'orders', orders: [{ side: 'buy', quantity: '0.083', reduce_only: false }] },
      { outcome: 'orders', orders: [{ side: 'sell', quantity: '0.083', reduce_only: true }] },
    ],
  })
  expect(await rig.paper.journal()).toEqual([])
})

test('a plan shows the refusals, and skips the commands behind them', async () => {
  expect(await plan('MyBot(BTCUSDT) { market(buy, 10$); balance }')).toMatchObject({
    outcome: 'planned',
    commands: [{ outcome: 'refused', error_code: 'E501' }, { outcome: 'skipped' }],
  })
  expect(await plan('MyBot(BTCUSDX) { balance }')).toMatchObject({
    outcome: 'refused',
    error_code: 'E401',
    error: expect.stringContaining('Did you mean BTCUSDT?'),
  })
})

test('a plan shows the effect of each command', async () => {
  const message = `MyBot(BTCUSDT) {
    exchangeSettings(leverage=10)
    limit(buy, 0.01, 59000.07, tag=a)
    market(buy, 0.1)
    stop(sell, 50%, 58000)
    sltp(amount=50%p, sl=2%, tp=3%)
    oco { stop(sell, 50%, 57000); limit(sell, 50%, 63000) }
    wait(1m)
    cancel(tag=a)
    balance
  }`
  expect(await plan(message)).toMatchObject({
    outcome: 'planned',
    market: { base: 'BTC', quote: 'USDT', quantity_step: '0.001', price_tick: expect.any(String) },
    commands: [
      { outcome: 'acts', note: expect.stringContaining('→ 10') },
      { outcome: 'orders', orders: [{ price: '59000.0', pricing: expect.stringContaining('59000.07') }] },
      { outcome: 'orders', orders: [{ quantity: '0.100', sizing: '0.1 BTC' }] },
      { outcome: 'orders', orders: [{ type: 'stop', quantity: '0.050', reduce_only: true }] },
      {
        outcome: 'orders',
        orders: [{ type: 'stop' }, { type: 'takeProfit' }],
        group: { kept_by: 'executor' },
      },
      { outcome: 'orders', orders: [{ type: 'stop' }, { type: 'limit' }], group: { mode: 'cancel' } },
      { outcome: 'acts' },
      { outcome: 'acts', cancels: [{ type: 'limit', amount: '0.01', price: '59000' }] },
      { outcome: 'acts', note: expect.stringContaining('USDT') },
    ],
  })
  expect(await rig.paper.journal()).toEqual([])
})

test('a plan shows that the money is not there', async () => {
  expect(await plan('MyBot(BTCUSDT) { market(buy, 9) }')).toMatchObject({
    commands: [{ outcome: 'refused', error_code: 'E506', error: expect.stringContaining('is needed') }],
  })
})

test('a finding of the check in one block stops the whole message', async () => {
  const [first, second] = await rig.plan(
    'MyBot(BTCUSDT) { market(buy, 0.01); market(buy, 0.01, positionSide=long) } MyBot(ETHUSDT) { limit(buy, 1, 2000, tif=ioc); exchangeSettings(maxOrderSize=1) }',
  )
  expect(first).toMatchObject({
    outcome: 'refused',
    error_code: 'E404',
    error: expect.stringContaining('ETHUSDT'),
  })
  expect(second).toMatchObject({
    outcome: 'refused',
    error_code: 'E404',
    commands: [{ outcome: 'skipped' }, { outcome: 'refused', error_code: 'E404' }],
  })
})

test('a plan warns of an order that waits far from the market', async () => {
  const warned = { outcome: 'orders', orders: [{ price: '25000.0', warnings: [{ code: 'W707' }] }] }
  expect(await plan('MyBot(BTCUSDT) { limit(buy, 0.01, 25000) }')).toMatchObject({ commands: [warned] })
})

test('a plan says so where the venue cannot be asked', async () => {
  // Every reading, as the executor reads the account in between by itself.
  await rig.paper.addFault({ match: { path: '/fapi/v3/account' }, action: 'drop' })
  const planned = await plan('MyBot(BTCUSDT) { market(buy, 50%) }')
  await rig.paper.clearFaults()
  expect(planned).toMatchObject({ outcome: 'unknown', error_code: 'E601', commands: [] })
})

test('an exit by plain percent of a position that is gone would place nothing, also at a successor', async () => {
  const executor = await rig.startExecutor()
  await rig.resultOf(await rig.send('MyBot(BTCUSDT) { market(buy, 0.01); market(position=0) }'))
  // While partitions are handed over, nobody plans.
  const isKnown = async () => {
    const nothing = {
      outcome: 'nothing',
      note: expect.stringMatching(/^nothing to close: .* by a market sell at/),
    }
    expect(await plan('MyBot(BTCUSDT) { market(sell, 10%) }')).toMatchObject({ commands: [nothing] })
    return true
  }
  await waitFor(isKnown)
  await executor.stop()
  await waitFor(isKnown)
  expect(await rig.resultOf(await rig.send('MyBot(BTCUSDT) { market(sell, 10%) }'))).toMatchObject({
    executions: [{ commands: [{ status: 'success', result: { code: 'N804' } }] }],
  })
})

test('a plan of a bot that only reduces refuses entries', async () => {
  await rig.configure({ tradingState: 'reducing' })
  const [command] = await waitFor(async () => {
    const commands = (await plan('MyBot(BTCUSDT) { market(buy, 0.01) }'))?.commands
    return commands?.some(({ outcome }) => outcome === 'refused') && commands
  })
  expect(command).toMatchObject({
    error_code: 'E516',
    error: expect.stringContaining('only exits and cancels run'),
  })
})
