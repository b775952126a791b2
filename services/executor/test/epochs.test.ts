import { expect, test } from '@jest/globals'
import type { AlertId } from '@tripline/proto/id'
import { link } from '@tripline/testkit/link'
import { waitFor } from '@tripline/testkit/wait-for'
import { usualTerm } from '../src/domain/sharing/lease.ts'
import { cuttableRigOfTest } from './cuttable-rig.ts'

const on = cuttableRigOfTest()

const buy = 'MyBot(BTCUSDT) { market(buy, 0.01) }'

/** Sends an alert that succeeds; returns the epoch that its order was sent under. */
async function epochOfOrder(): Promise<number | undefined> {
  const alertId = await on.rig.send(buy)
  expect(await on.rig.resultOf(alertId)).toMatchObject({ status: 'success' })
  return await sentEpoch(alertId)
}

async function sentEpoch(alertId: AlertId): Promise<number | undefined> {
  const events = await on.rig.eventsOf(alertId, 'order.sent')
  return events.flatMap((event) => (event.kind === 'order.sent' ? [event.epoch] : []))[0]
}

/** Settles when so much time has passed that is what a test is about. */
async function passed(ms: number): Promise<void> {
  const over = performance.now() + ms
  await waitFor(() => performance.now() > over)
}

test('orders go on without the database, and nobody follows a dead owner until it is back', async () => {
  await on.rig.startExecutor(on.byLink())
  expect(await epochOfOrder()).toBe(1)
  on.databaseWay.cut()
  const until = performance.now() + usualTerm.takeoverMs + 1000
  while (performance.now() < until) expect(await epochOfOrder()).toBe(1)
  const way = await link(on.rig.config.DATABASE_URL)
  way.cut()
  await on.rig.startExecutor({ databaseUrl: way.url })
  on.way.cut()
  const count = (await on.accepted()).length
  const alertId = await on.rig.send(buy)
  await passed(usualTerm.takeoverMs + 2000)
  expect(await on.accepted()).toHaveLength(count)
  way.mend()
  expect(await on.rig.resultOf(alertId)).toMatchObject({ status: 'success' })
  expect(await sentEpoch(alertId)).toBe(2)
  await way.stop()
})
