import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { openBucket } from '@tripline/kit/bus/bucket'
import { type Bus, publish, subscribe } from '@tripline/kit/bus/bus'
import type { BucketName } from '@tripline/proto/subject'
import { guardedNats, type TestNats } from '../nats.ts'
import { waitFor } from '../wait-for.ts'

let server: TestNats
let notifier: Bus
let ops: Bus
beforeAll(async () => {
  server = await guardedNats()
  notifier = await server.connect('notifier')
  ops = await server.connect('ops')
})
afterAll(async () => await server.stop())

async function reads(bus: Bus, name: BucketName): Promise<boolean> {
  const bucket = await openBucket(bus, name)
  return await bucket.get('nobody').then(
    () => true,
    () => false,
  )
}

test('the notifier reads notification settings, and neither configuration nor credentials', async () => {
  const readable = await Promise.all(
    (['notifications', 'config', 'credentials', 'leases'] as const).map(
      async (name) => await reads(notifier, name),
    ),
  )
  expect(readable).toEqual([true, false, false, false])
})

test('nobody but keys and the notifier reads notification settings', async () => {
  const others = ['gateway', 'auth', 'intake', 'executor', 'history', 'keys'] as const
  const readable = await Promise.all(
    others.map(async (user) => [user, await reads(await server.connect(user), 'notifications')] as const),
  )
  expect(readable.filter(([, may]) => may).map(([user]) => user)).toEqual(['keys'])
})

test('the notifier stores nothing and asks nobody', async () => {
  const received: string[] = []
  subscribe(ops, '>', (_text, subject) => received.push(subject))
  await ops.connection.flush()
  const refused = ['event.u.b', 'alert.1.u', '$KV.notifications.u', 'keys.bot.list', 'executor.key.test']
  for (const subject of refused) publish(notifier, subject, '{}')
  notifier.outbox.sendAll()
  await notifier.connection.flush()
  publish(ops, 'the.end', '{}')
  await waitFor(() => received.includes('the.end'))
  expect(received.filter((subject) => refused.includes(subject))).toEqual([])
})
