import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { type Bus, store } from '@tripline/kit/bus/bus'
import { type BusUser, busUsers, inboxPrefix, permissions } from '@tripline/proto/permission'
import { type BucketName, buckets, durables, streams } from '@tripline/proto/subject'
import { AckPolicy } from 'nats'
import { guardedNats, type TestNats } from '../../nats.ts'
import { mayUse } from '../../wire/may-use.ts'

const services = busUsers.filter((user) => user !== 'ops')

// Subjects that are forbidden to every process.
const forbidden = [
  ...Object.keys(streams).flatMap((stream) => [
    `$JS.API.STREAM.DELETE.${stream}`,
    `$JS.API.STREAM.PURGE.${stream}`,
    `$JS.API.STREAM.UPDATE.${stream}`,
    `$JS.API.CONSUMER.DELETE.${stream}.x`,
  ]),
  // A process that may ask for the next message may name any subject to which it goes.
  ...Object.keys(streams).map((stream) => `$JS.API.CONSUMER.MSG.NEXT.${stream}.x`),
  ...Object.keys(buckets).flatMap((bucket) => [
    `$JS.API.CONSUMER.CREATE.KV_${bucket}`,
    `$JS.API.CONSUMER.CREATE.KV_${bucket}.x.y`,
    `$JS.API.CONSUMER.DURABLE.CREATE.KV_${bucket}.x`,
    `$JS.API.CONSUMER.MSG.NEXT.KV_${bucket}.x`,
  ]),
  ...Object.keys({ ...streams, ...buckets }).map((name) => `stored.${name}.x.y`),
  '$SYS.REQ.SERVER.PING',
  'somewhere.else.entirely',
]

/** One subject of each pattern that any user may publish or subscribe to, and more. */
const universe = [
  ...new Set([
    ...services
      .flatMap((user) => [...permissions[user].publish, ...permissions[user].subscribe])
      .map(example),
    ...forbidden,
  ]),
].sort()

let server: TestNats
let ops: Bus
beforeAll(async () => {
  server = await guardedNats()
  ops = await server.connect('ops')
})
afterAll(async () => await server.stop())

describe.each(services)('%s', (user) => {
  test('publishes to its own subjects, and to no others', async () => {
    const bus = await server.connect(user)
    const received = new Set<string>()
    const subscription = ops.connection.subscribe('>', {
      callback: (_error, message) => {
        // Messages that the server publishes again do not come from who had them stored.
        const isAgain = message.headers?.has('Nats-Sequence') === true
        if (message.string() === `said by ${user}` && !isAgain) received.add(message.subject)
      },
    })
    await ops.connection.flush()
    for (const subject of universe) bus.connection.publish(subject, `said by ${user}`)
    await bus.connection.flush()
    await ops.connection.flush()
    subscription.unsubscribe()
    expect([...received].sort()).toEqual(
      universe.filter((subject) => mayUse(permissions[user].publish, subject)),
    )
  })

  test('receives its own subjects, and no others, nor everything at once', async () => {
    const bus = await server.connect(user)
    const received = new Set<string>()
    for (const subject of [...universe, '>', '*.*', '*.*.*', ...services.map(inboxOf)]) {
      bus.connection.subscribe(subject, {
        // Answers to what a connection asks by itself come besides.
        callback: (error, message) => {
          if (error === null && message.string() === 'said by ops') received.add(message.subject)
        },
      })
    }
    await bus.connection.flush()
    for (const subject of universe) ops.connection.publish(subject, 'said by ops')
    await ops.connection.flush()
    await bus.connection.flush()
    await bus.close()
    expect([...received].sort()).toEqual(
      universe.filter((subject) => mayUse(permissions[user].subscribe, subject)),
    )
  })
})

test('a secret opens one door only: each bucket is written by its owners, alerts are spoken by intake', () => {
  const speakers = (subject: string) => services.filter((user) => mayUse(permissions[user].publish, subject))
  expect(speakers('$KV.credentials.x')).toEqual(['keys'])
  expect(speakers('$KV.config.x')).toEqual(['keys'])
  expect(speakers('$KV.leases.1')).toEqual(['executor'])
  expect(speakers('alert.1.x')).toEqual(['intake'])
  expect(speakers('event.x.y')).toEqual(['intake', 'executor'])
  expect(speakers('result.x')).toEqual(['executor'])
  expect(speakers('$KV.notifications.x')).toEqual(['keys'])
  for (const subject of [
    'keys.bot.list',
    'auth.session.create',
    'history.execution.get',
    'notifier.message.test',
  ]) {
    expect(speakers(subject)).toEqual(['gateway'])
  }
  expect(speakers('executor.key.test')).toEqual(['keys'])
  expect(speakers(reading('credentials'))).toEqual(['keys', 'executor'])
  expect(speakers(reading('notifications'))).toEqual(['keys', 'notifier'])
  for (const stream of Object.keys(streams))
    expect(speakers(`$JS.API.CONSUMER.CREATE.${stream}.x`)).toEqual(['executor'])
  for (const subject of forbidden) expect(speakers(subject)).toEqual([])
})

test('nobody but the executor has the server deliver stored messages to an address of its choice', async () => {
  for (const user of services) {
    const { manager } = await server.connect(user)
    const deliver = { deliver_subject: '$KV.members.x', ack_policy: AckPolicy.None, mem_storage: true }
    const made = await Promise.all(
      ['ALERTS', 'EVENTS', 'KV_config', 'KV_notifications'].map(
        async (stream) =>
          await manager.consumers.add(stream, deliver).then(
            () => stream,
            () => undefined,
          ),
      ),
    )
    expect([user, made.filter((stream) => stream !== undefined)]).toEqual([
      user,
      user === 'executor' ? ['ALERTS', 'EVENTS'] : [],
    ])
  }
}, 120_000)

test('a reader of a durable consumer acknowledges its own, and cannot name where it delivers', async () => {
  const [history, notifier] = [await server.connect('history'), await server.connect('notifier')]
  const floors = async (): Promise<number[]> =>
    await Promise.all(
      (['to-history', 'to-notifier'] as const).map(
        async (name) => (await ops.manager.consumers.info('EVENTS', name)).delivered.stream_seq,
      ),
    )
  const members = async (): Promise<number> => (await ops.manager.streams.info('KV_members')).state.last_seq
  const before = [await members(), await floors()]
  for (const bus of [history, notifier]) {
    for (const name of Object.keys(durables)) {
      const next = `$JS.API.CONSUMER.MSG.NEXT.EVENTS.${name}`
      bus.connection.publish(next, '1', { reply: '$KV.members.x' })
    }
    await bus.connection.flush()
  }
  await store(await server.connect('executor'), 'event.user.bot', '{}', {
    messageId: 'permission',
    attemptMs: 2000,
    deadlineMs: 30_000,
  })
  expect([await members(), await floors()]).toEqual(before)
  expect(mayUse(permissions.history.publish, '$JS.ACK.EVENTS.to-notifier.1.1.1.1.1')).toBe(false)
  expect(mayUse(permissions.notifier.publish, '$JS.ACK.EVENTS.to-history.1.1.1.1.1')).toBe(false)
})

/** The subjects that reading a bucket takes. */
function reading(bucket: BucketName): string {
  return `$JS.API.STREAM.MSG.GET.KV_${bucket}`
}

function inboxOf(user: BusUser): string {
  return `${inboxPrefix(user)}.>`
}

function example(pattern: string): string {
  return pattern.replaceAll('*', 'x').replace(/>$/, 'x.y')
}
