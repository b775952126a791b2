import { expect, test } from '@jest/globals'
import { openBucket } from '@tripline/kit/bus/bucket'
import { partitionOf } from '@tripline/proto/subject'
import { rigOfTest } from './rig-of-test.ts'

const rig = rigOfTest()

/** Leaves a backlog that ends with a copy of its first alert, as intake stores one that was sent again. */
async function leaveCopyBehind(count: number): Promise<void> {
  const message = 'MyBot(BTCUSDT) { market(buy, 0.01) }'
  const receivedAt = Date.now()
  const alertId = await rig.send(message, { receivedAt })
  for (let index = 0; index < count; index++) await rig.send('MyBot(ETHUSDT) { market(buy, 0.01) }')
  await rig.send(message, { alertId, isFirst: false, receivedAt })
}

async function expectOneOrder(): Promise<void> {
  await rig.startExecutor()
  await rig.noAlertsWait()
  const journal = await rig.paper.journal()
  expect(journal.filter(({ op, symbol }) => op === 'place' && symbol === 'BTCUSDT')).toHaveLength(1)
}

// The window admits 200 alerts of a user: a copy behind more of them begins after its first has ended.
test.each([3, 215])(
  'an alert and its copy in a backlog, %s alerts behind it, are one order',
  async (count) => {
    await leaveCopyBehind(count)
    await expectOneOrder()
  },
  90_000,
)

test('an alert and its copy are one order where they are run carefully, one at a time', async () => {
  await leaveCopyBehind(3)
  const leases = await openBucket(rig.ops, 'leases')
  const lease = { owner: 'one that died', released: false, deaths: 1 }
  await leases.put(`${partitionOf(rig.userId)}`, JSON.stringify(lease))
  await expectOneOrder()
}, 90_000)
