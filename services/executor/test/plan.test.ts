import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { waitFor } from '@tripline/testkit/wait-for'
import { buildRig, type Rig } from './rig.ts'

let rig: Rig
beforeAll(async () => {
  rig = await buildRig()
  await rig.startExecutor()
})
afterAll(async () => await rig.stop())

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

test('a plan tells what would be refused, and skips what stands behind it', async () => {
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

test('a plan says so where the venue cannot be asked', async () => {
  await rig.paper.addFault({ match: { path: '/fapi/v3/account' }, action: 'drop', count: 1 })
  expect(await plan('MyBot(BTCUSDT) { market(buy, 50%) }')).toMatchObject({
    outcome: 'unknown',
    error_code: 'E601',
    commands: [],
  })
})

test('a plan of a bot that only reduces refuses entries', async () => {
  await rig.configure({ tradingState: 'reducing' })
  const [command] = await waitFor(async () => {
    const commands = (await plan('MyBot(BTCUSDT) { market(buy, 0.01) }'))?.commands
    return commands?.some(({ outcome }) => outcome === 'refused') && commands
  })
  expect(command?.error_code).toBe('E516')
})
