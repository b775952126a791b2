import { randomUUID } from 'node:crypto'
import { expect, test } from '@jest/globals'
import type { UserId } from '@tripline/proto/id'
import { partitionCount, partitionOf } from '@tripline/proto/subject'
import { waitFor } from '@tripline/testkit/wait-for'
import { cuttableRigOfTest } from './cuttable-rig.ts'

const on = cuttableRigOfTest()

const rounds = 'MyBot(BTCUSDT) { market(buy, 0.01); wait(4); market(sell, 0.01) }'

/** Our ids of what the exchange accepted, by command. */
async function accepted(): Promise<string[]> {
  const journal = await on.rig.paper.journal()
  return journal.flatMap(({ outcome, clientOrderId }) =>
    outcome === 'accepted' && clientOrderId !== null ? [clientOrderId.slice(-5)] : [],
  )
}

test('a wait goes on at a successor that took over cleanly', async () => {
  const first = await on.rig.startExecutor()
  const alertId = await on.rig.send(rounds)
  await on.rig.eventsOf(alertId, 'command.waiting')
  await first.stop()
  await on.rig.startExecutor()
  const result = await on.rig.resultOf(alertId)
  expect(result).toMatchObject({ status: 'success' })
  const [waiting] = (await on.rig.eventsOf(alertId, 'execution.finished')).filter(
    ({ kind }) => kind === 'command.waiting',
  )
  const end = result.outcome === 'executed' ? result.executions[0]?.commands[1]?.result : undefined
  expect(end).toMatchObject({ woke_at: waiting?.kind === 'command.waiting' ? waiting.wakeAt : undefined })
  expect(await accepted()).toEqual(['00000', '00200'])
})

test('a wait goes on at a successor of one that was cut off', async () => {
  await on.rig.startExecutor(on.byLink())
  const alertId = await on.rig.send(rounds)
  await on.rig.eventsOf(alertId, 'command.waiting')
  on.way.cut()
  await on.rig.startExecutor()
  expect(await on.rig.resultOf(alertId)).toMatchObject({ status: 'success' })
  expect(await accepted()).toEqual(['00000', '00200'])
})

/** As many other users as it takes, each in a partition of its own and with more to do than ours. */
async function makeOthersBusier(): Promise<void> {
  const busy = new Map([[partitionOf(on.rig.userId), on.rig.userId]])
  while (busy.size <= partitionCount / 2) {
    const userId = randomUUID() as UserId
    if (!busy.has(partitionOf(userId))) busy.set(partitionOf(userId), userId)
  }
  busy.delete(partitionOf(on.rig.userId))
  const load = async (userId: UserId): Promise<void> => {
    const send = await on.rig.linkOther(userId)
    await send('MyBot(BTCUSDT) { wait(3600) }')
    await send('MyBot(BTCUSDT) { wait(3600) }')
  }
  await Promise.all([...busy.values()].map(load))
}

test('a wait goes on at an executor that joined, and ends there once', async () => {
  const first = await on.rig.startExecutor()
  await makeOthersBusier()
  const running = /_alerts_running{[^}]*} 64\b/
  await waitFor(async () =>
    running.test(await (await fetch(`http://127.0.0.1:${first.port}/metrics`)).text()),
  )
  const owner = await on.rig.leaseOwner()
  const alertId = await on.rig.send('MyBot(BTCUSDT) { market(buy, 0.01); wait(20); market(sell, 0.01) }')
  await on.rig.eventsOf(alertId, 'command.waiting')
  await on.rig.startExecutor()
  // The quietest partitions go to the newcomer, and ours is the last of them.
  await waitFor(async () => (await on.rig.leaseOwner()) !== owner)
  expect(await on.rig.resultOf(alertId)).toMatchObject({ status: 'success' })
  expect(await accepted()).toEqual(['00000', '00200'])
  const events = await on.rig.eventsOf(alertId, 'execution.finished')
  for (const kind of ['command.waiting', 'execution.finished'])
    expect(events.filter((event) => event.kind === kind)).toHaveLength(1)
  expect(events.filter(({ kind }) => kind === 'command.finished')).toHaveLength(3)
})

test.each([
  ['halted', { tradingState: 'halted' }],
  ['paused', { tradingState: 'reducing' }],
] as const)('a bot that is %s meanwhile ends the rest', async (_name, change) => {
  await on.rig.startExecutor()
  const alertId = await on.rig.send('MyBot(BTCUSDT) { market(buy, 0.01); wait(60); market(sell, 0.01) }')
  await on.rig.eventsOf(alertId, 'command.waiting')
  await on.rig.configure(change)
  expect(await on.rig.resultOf(alertId)).toMatchObject({
    status: 'partial',
    executions: [
      {
        commands: [
          { status: 'success' },
          { status: 'skipped', errorCode: 'E516' },
          { status: 'skipped', errorCode: 'E516' },
        ],
      },
    ],
  })
  await waitFor(async () => (await accepted()).length === 1)
})
