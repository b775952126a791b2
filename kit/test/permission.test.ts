import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { type BusUser, busUsers, inboxPrefix, permissions } from '@tripline/proto/permission'
import { type BucketName, streams } from '@tripline/proto/subject'
import { guardedNats, type TestNats } from '@tripline/testkit/nats'
import type { Bus } from '../bus.ts'

const services = busUsers.filter((user) => user !== 'ops')

// What no process may do, whatever it is there for.
const forbidden = [
  ...Object.keys(streams).flatMap((stream) => [
    `$JS.API.STREAM.DELETE.${stream}`,
    `$JS.API.STREAM.PURGE.${stream}`,
    `$JS.API.STREAM.UPDATE.${stream}`,
    `$JS.API.CONSUMER.DELETE.${stream}.x`,
  ]),
  '$SYS.REQ.SERVER.PING',
  'somewhere.else.entirely',
]

/** One subject of each pattern that any user may speak or hear, and more. */
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
  test('is heard on its own subjects, and on no others', async () => {
    const bus = await server.connect(user)
    const heard = new Set<string>()
    const hearing = ops.connection.subscribe('>', {
      callback: (_error, message) => message.string() === `said by ${user}` && heard.add(message.subject),
    })
    await ops.connection.flush()
    for (const subject of universe) bus.connection.publish(subject, `said by ${user}`)
    await bus.connection.flush()
    await ops.connection.flush()
    hearing.unsubscribe()
    expect([...heard].sort()).toEqual(
      universe.filter((subject) => mayUse(permissions[user].publish, subject)),
    )
  })

  test('hears its own subjects, and no others, nor everything at once', async () => {
    const bus = await server.connect(user)
    const heard = new Set<string>()
    for (const subject of [...universe, '>', '*.*', '*.*.*', ...services.map(inboxOf)]) {
      bus.connection.subscribe(subject, {
        callback: (error, message) => error === null && heard.add(message.subject),
      })
    }
    await bus.connection.flush()
    for (const subject of universe) ops.connection.publish(subject, 'said by ops')
    await ops.connection.flush()
    await bus.connection.flush()
    await bus.close()
    expect([...heard].sort()).toEqual(
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
  for (const subject of readings('credentials')) expect(speakers(subject)).toEqual(['keys', 'executor'])
  for (const subject of readings('notifications')) expect(speakers(subject)).toEqual(['keys', 'notifier'])
  for (const subject of forbidden) expect(speakers(subject)).toEqual([])
})

/** What is said to read a bucket. */
function readings(bucket: BucketName): string[] {
  return ['STREAM.MSG.GET', 'DIRECT.GET', 'CONSUMER.CREATE'].map((verb) => `$JS.API.${verb}.KV_${bucket}`)
}

function inboxOf(user: BusUser): string {
  return `${inboxPrefix(user)}.>`
}

function example(pattern: string): string {
  return pattern.replaceAll('*', 'x').replace(/>$/, 'x.y')
}

/** Whether a subject matches one of the patterns, as the server matches them. */
function mayUse(patterns: readonly string[], subject: string): boolean {
  const words = subject.split('.')
  return patterns.some((pattern) => {
    const wanted = pattern.split('.')
    const isOpen = wanted.at(-1) === '>'
    if (isOpen ? words.length < wanted.length : words.length !== wanted.length) return false
    return wanted.every((word, index) => word === '>' || word === '*' || word === words[index])
  })
}
