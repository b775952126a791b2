import { expect, test } from '@jest/globals'
import { openBucket } from '@tripline/kit/bus/bucket'
import { isZero } from '@tripline/proto/decimal'
import { partitionOf } from '@tripline/proto/subject'
import { waitFor } from '@tripline/testkit/wait-for'
import { cuttableRigOfTest } from './cuttable-rig.ts'
import { withVenues } from './with-venues.ts'

const on = cuttableRigOfTest()

/** Starts an executor that can be cut off, and that cannot list the open orders. */
async function startStuck(): Promise<void> {
  await on.rig.startExecutor({
    ...on.byLink(),
    ...withVenues(() => ({
      openOrders: async () => ({ outcome: 'unreachable', cause: 'away' }),
    })),
  })
}

async function overtakenInLease(): Promise<unknown[]> {
  const entry = await (await openBucket(on.rig.ops, 'leases')).get(`${partitionOf(on.rig.userId)}`)
  return JSON.parse(entry?.text ?? '{}').overtaken ?? []
}

test('a successor opens nothing by entries that an exit overtook before its predecessor was lost', async () => {
  await startStuck()
  await on.rig.resultOf(await on.rig.send('MyBot(BTCUSDT) { market(buy, 0.02) }'))
  const stuck = await on.rig.send('MyBot(BTCUSDT) { cancel; market(buy, 0.03) }')
  const exit = await on.rig.send('MyBot(BTCUSDT) { market(position=0) }')
  expect(await on.rig.resultOf(exit)).toMatchObject({ status: 'success' })
  expect(await overtakenInLease()).toHaveLength(1)
  on.way.cut()
  await on.rig.startExecutor()
  expect(await on.rig.resultOf(stuck)).toMatchObject({
    executions: [{ commands: [{ command: 'cancel' }, { errorCode: 'E519' }] }],
  })
  const { positions } = await on.rig.account()
  expect(positions.filter(({ quantity }) => !isZero(quantity))).toEqual([])
  // Nobody has to know of it any more.
  await waitFor(async () => (await overtakenInLease()).length === 0, { deadlineMs: 30_000 })
  const later = await on.rig.resultOf(await on.rig.send('MyBot(BTCUSDT) { market(buy, 0.01) }'))
  expect(later).toMatchObject({ status: 'success' })
}, 120_000)
