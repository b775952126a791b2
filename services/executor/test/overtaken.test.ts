import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { openBucket } from '@tripline/kit/bucket'
import { connectBus } from '@tripline/kit/bus'
import { isZero } from '@tripline/proto/decimal'
import { partitionOf } from '@tripline/proto/subject'
import { type Link, link } from '@tripline/testkit/link'
import { waitFor } from '@tripline/testkit/wait-for'
import { buildRig, type Rig } from './rig.ts'
import { withVenues } from './with-venues.ts'

let rig: Rig
let way: Link
beforeEach(async () => {
  rig = await buildRig()
  way = await link(rig.config.NATS_URL)
})
afterEach(async () => {
  way.mend()
  await rig.stop()
  await way.stop()
})

/** Starts an executor that can be cut off, and that cannot list the open orders. */
async function startStuck(): Promise<void> {
  await rig.startExecutor({
    connect: async (options) => await connectBus({ ...options, url: way.url }),
    decoratePool: (pool) =>
      withVenues(pool, (venue) => ({
        ...venue,
        openOrders: async () => ({ outcome: 'unreachable', cause: 'away' }),
      })),
  })
}

async function overtakenInLease(): Promise<unknown[]> {
  const entry = await (await openBucket(rig.ops, 'leases')).get(`${partitionOf(rig.userId)}`)
  return JSON.parse(entry?.text ?? '{}').overtaken ?? []
}

test('a successor opens nothing of what an exit overtook before its predecessor was lost', async () => {
  await startStuck()
  await rig.resultOf(await rig.send('MyBot(BTCUSDT) { market(buy, 0.02) }'))
  const stuck = await rig.send('MyBot(BTCUSDT) { cancel; market(buy, 0.03) }')
  const exit = await rig.send('MyBot(BTCUSDT) { market(position=0) }')
  expect(await rig.resultOf(exit)).toMatchObject({ status: 'success' })
  expect(await overtakenInLease()).toHaveLength(1)
  way.cut()
  await rig.startExecutor()
  expect(await rig.resultOf(stuck)).toMatchObject({
    executions: [{ commands: [{ command: 'cancel' }, { errorCode: 'E519' }] }],
  })
  const { positions } = await rig.account()
  expect(positions.filter(({ quantity }) => !isZero(quantity))).toEqual([])
  // Nobody has to know of it any more.
  await waitFor(async () => (await overtakenInLease()).length === 0, { deadlineMs: 30_000 })
  const later = await rig.resultOf(await rig.send('MyBot(BTCUSDT) { market(buy, 0.01) }'))
  expect(later).toMatchObject({ status: 'success' })
}, 120_000)
