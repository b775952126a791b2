import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals'
import { absolute, isLess, multiply, subtract } from '@tripline/proto/decimal'
import { waitFor } from '@tripline/testkit/wait-for'
import { countedConnections } from './counted-connections.ts'
import { buildRig, type Rig } from './rig.ts'

const connections = countedConnections()
let rig: Rig
beforeAll(async () => {
  rig = await buildRig({ bot: { marketType: 'spot' }, balances: { USDT: '100000', BTC: '1' } })
  await rig.startExecutor({ connections })
})
afterAll(async () => await rig.stop())
beforeEach(async () => await rig.paper.pinPrices('BTCUSDT', { bid: '59999.99', ask: '60000' }))

const timesAsked = (): number => connections.asked.filter((path) => path.includes('/api/v3/account')).length

const step = '0.00001'

/** Runs commands; returns how much BTC there is then. */
async function run(commands: string): Promise<string> {
  const result = await rig.resultOf(await rig.send(`MyBot(BTCUSDT) { ${commands} }`))
  expect(result).toMatchObject({ outcome: 'executed', status: 'success' })
  return (await rig.account()).balances['BTC'] ?? '0'
}

/** Expects one quantity to be another one, but for what is too little to be sold. */
function expectNear(quantity: string, other: string): void {
  const difference = absolute(subtract(quantity, other))
  expect({ quantity, other, isNear: isLess(difference, step) }).toMatchObject({ isNear: true })
}

/** Settles once a command asks the account nothing; what it says is so already, so that nothing is traded meanwhile. */
async function untilKnown(held: string): Promise<void> {
  await waitFor(async () => {
    const before = timesAsked()
    await run(`market(position=${held})`)
    return timesAsked() === before
  })
}

test.each([
  ['what is spent', 'market(sell, 50%)', '0.5'],
  ['what is available', 'market(sell, 50%a)', '0.5'],
  ['what is held', 'market(sell, 50%p)', '0.5'],
  ['a position', 'market(position=0)', '0'],
  ['what it is worth', 'limit(buy, 10%b, 50000)', '1'],
])('an order sized by %s asks nothing once the account is known: %s', async (_name, command, left) => {
  await waitFor(async () => {
    const held = await run('market(buy, 0.4)')
    await untilKnown(held)
    const before = timesAsked()
    expectNear(await run(command), multiply(held, left))
    return timesAsked() === before
  })
})

test('commands that follow one another are each sized on the coins that the ones before left, and left free', async () => {
  for (let turn = 0; turn < 5; turn++) {
    const held = await run('market(buy, 0.4)')
    expectNear(await run('limit(sell, 50%, 65000); market(sell, 100%a)'), multiply(held, '0.5'))
    expectNear(await run('cancel; market(sell, 50%)'), multiply(held, '0.25'))
    expectNear(await run('limit(sell, 50%, 65000); market(sell, 100%)'), '0')
  }
})
