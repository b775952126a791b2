import { afterEach, beforeEach, test } from '@jest/globals'
import { waitFor } from '@tripline/testkit/wait-for'
import { buildRig, type Rig } from './rig.ts'

let rig: Rig
beforeEach(async () => {
  rig = await buildRig()
})
afterEach(async () => await rig.stop())

async function run(commands: string): Promise<void> {
  await rig.resultOf(await rig.send(`MyBot(BTCUSDT) { ${commands} }`))
}

async function untilTold(expected: string[]): Promise<void> {
  await waitFor(async () => JSON.stringify(await rig.clientStates()) === JSON.stringify(expected), {
    deadlineMs: 30_000,
  })
}

test('users are told when a bot is ready, and when it is gone; a new one is picked up', async () => {
  await rig.startExecutor()
  await untilTold(['warm'])
  await rig.unlink()
  await untilTold(['warm', 'removed'])
  await rig.configure({})
  await untilTold(['warm', 'removed', 'warm'])
})

test('users are told that their exchange cannot be reached, and that a bot is ready once it can', async () => {
  const all = { match: {}, action: 'status', status: 503 }
  const fault = await rig.paper.armFault(all)
  await rig.startExecutor()
  await untilTold(['unreachable'])
  await rig.paper.removeFault(fault)
  await untilTold(['unreachable', 'warm'])
})

test('users are told that a private stream is lost, and back', async () => {
  await rig.startExecutor()
  // A group of orders is watched by what the private stream tells.
  const group = 'market(buy, 0.01); oco { stop(sell, 100%, 58000); limit(sell, 100%, 62000) }'
  await run(group)
  const fault = await rig.paper.armFault({ match: {}, action: 'disconnect' })
  await waitFor(
    async () => {
      await run('limit(buy, 0.01, 59000, tag=a); cancel(tag=a)')
      return (await rig.clientStates()).includes('reconnecting')
    },
    { deadlineMs: 30_000 },
  )
  await rig.paper.removeFault(fault)
  await waitFor(async () => (await rig.clientStates()).at(-1) === 'live', { deadlineMs: 30_000 })
})
