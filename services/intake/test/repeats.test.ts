import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { streamUse } from '@tripline/kit/bus/bus'
import { openRedis } from '@tripline/kit/redis'
import type { AlertResult } from '@tripline/proto/alert'
import { UserId } from '@tripline/proto/id'
import { testLog } from '@tripline/testkit/log'
import { waitFor } from '@tripline/testkit/wait-for'
import { waitUntil } from '@tripline/testkit/wait-until'
import { newAlertId } from '../src/alert-id.ts'
import { idBytes, openIdRoom } from '../src/store/id-room.ts'
import { type Ids, openIds } from '../src/store/ids.ts'
import { askPatiently } from '../src/store/patient-redis.ts'
import { refuse, succeed, type TestExecutor } from './executor.ts'
import { post, type Reply, type Surroundings, surroundings } from './surroundings.ts'

const command = 'MyBot(BTCUSDT) { market(buy, 0.01) }'
const dayMs = 86_400_000

let around: Surroundings
let executor: TestExecutor

beforeAll(async () => {
  around = await surroundings()
  executor = await around.execute((alert): AlertResult | undefined => {
    if (alert.message.includes('silent')) return undefined
    return alert.message.includes('BTCUSD)') ? refuse(alert) : succeed(alert)
  })
})
afterAll(async () => await around.stop())

describe.each([
  ['an @id line', (id: string) => `@id ${id}\n${command}`],
  ['an id in the JSON', (id: string) => ({ id, message: command })],
  ['an @sent line', (id: string) => `# ${id}\n@sent 2026-01-31T12:00:00Z\n${command}`],
  ['a sent_at in the JSON', (id: string) => ({ sent_at: 1_769_860_800, message: `${id} ${command}` })],
])('an alert with %s', (_name, body) => {
  test('is executed once; a repeat answers 200 with the first result, also at another replica', async () => {
    const user = await around.addUser()
    const replica = await around.startReplica()
    const first = await around.post(user.token, body('a'))
    const again = await around.post(user.token, body('a'), { wait: 100 })
    const elsewhere = await post(replica, user.token, body('a'))
    expect(first.status).toBe(200)
    expect(first.body.duplicate).toBeUndefined()
    for (const repeat of [again, elsewhere]) {
      expect(repeat.status).toBe(200)
      expect(repeat.body).toEqual({ ...first.body, duplicate: true })
    }
    expect(await around.alertsOf(user)).toHaveLength(1)
  })

  test('is another alert than one with another id, and than the same of another user', async () => {
    const [user, other] = [await around.addUser(), await around.addUser()]
    await around.post(user.token, body('b'))
    expect((await around.post(user.token, body('c'))).body.duplicate).toBeUndefined()
    expect((await around.post(other.token, body('b'))).body.duplicate).toBeUndefined()
    expect(await around.alertsOf(user)).toHaveLength(2)
    expect(await around.alertsOf(other)).toHaveLength(1)
  })
})

test('repeats of an alert that still runs wait for the same result', async () => {
  const user = await around.addUser()
  const body = `@id slow\nsilent ${command}`
  const waiting = [around.post(user.token, body, { wait: 60_000 })]
  const alert = await waitFor(async () => (await around.alertsOf(user))[0])
  const impatient = await around.post(user.token, body, { wait: 0 })
  expect(impatient).toMatchObject({ status: 202, body: { alert_id: alert.alertId, duplicate: true } })
  waiting.push(around.post(user.token, body, { wait: 60_000 }))

  let replies: Reply[] = []
  void Promise.all(waiting).then((all) => {
    replies = all
  })
  await waitFor(() => {
    executor.publishResult(succeed(alert))
    return replies.length > 0
  })
  expect(replies.map(({ status, body }) => [status, body.alert_id, body.duplicate])).toEqual([
    [200, alert.alertId, undefined],
    [200, alert.alertId, true],
  ])
  expect(await around.alertsOf(user)).toHaveLength(1)
})

test('a repeat gets the result that comes after the answer', async () => {
  const user = await around.addUser()
  const first = await around.post(user.token, `silent ${command}\n@id late`, { wait: 0 })
  expect(first.status).toBe(202)
  const alert = await waitFor(async () => (await around.alertsOf(user))[0])
  executor.publishResult(succeed(alert))
  await waitFor(
    async () => (await around.post(user.token, `${command}\n@id late`, { wait: 0 })).status === 200,
  )
  expect(await around.alertsOf(user)).toHaveLength(1)
})

test('an id is free again after an alert of which nothing was done', async () => {
  const user = await around.addUser()
  const unreadable = await around.post(user.token, `@id x\nMyBot(BTCUSDT) { market(up, 1) }`)
  const refused = await around.post(user.token, `@id x\nMyBot(BTCUSD) { balance }`)
  const right = await around.post(user.token, `@id x\n${command}`)
  expect([unreadable.status, refused.status, right.status]).toEqual([400, 422, 200])
  expect(right.body.duplicate).toBeUndefined()
})

test.each([
  ['answered', command],
  ['still running', `silent ${command}`],
])('an id whose alert is %s is known when all processes and Redis have lost it', async (state, text) => {
  const user = await around.addUser()
  const first = await around.post(user.token, `@id kept\n${text}`, { wait: state === 'answered' ? 5000 : 0 })
  // Redis has all earlier writes once it answers this.
  await around.post(user.token, `@id kept\n${text}`, { wait: 0 })
  await around.emptyRedis()
  const reborn = await around.startReplica()
  const again = await post(reborn, user.token, `@id kept\n${text}`, { wait: 300 })
  expect(again.body).toMatchObject({ alert_id: first.body.alert_id, duplicate: true })
  expect(again.status).toBe(202)
  expect(await around.alertsOf(user)).toHaveLength(1)
})

test('one of many replicas has an id that comes to all of them at once, with Redis or without', async () => {
  const replicas = [around.intake, await around.startReplica(), await around.startReplica()]
  for (const redis of ['there', 'away']) {
    const user = await around.addUser()
    if (redis === 'away') around.redisWire.cut()
    const replies = await Promise.all(
      replicas.map(async (one) => await post(one, user.token, `@id race\n${command}`)),
    )
    expect(new Set(replies.map(({ body }) => body.alert_id)).size).toBe(1)
    expect(replies.filter(({ body }) => body.duplicate === undefined)).toHaveLength(1)
    expect(await around.alertsOf(user)).toHaveLength(1)
  }
  await around.mendRedis()
})

test('an id whose holder the bus cannot name answers 503, and nothing runs', async () => {
  const user = await around.addUser()
  around.busWire.stall()
  const failed = await around.post(user.token, `@id held\n${command}`)
  expect([failed.status, failed.body.error_code]).toEqual([503, 'not_durable'])
  around.busWire.mend()
  const again = await waitFor(async () => {
    const reply = await around.post(user.token, `@id held\n${command}`)
    return reply.status === 200 && reply
  })
  expect(again.body.status).toBe('success')
  expect(await around.alertsOf(user)).toHaveLength(1)
})

test('an answer for which there is no room is stored without its results, and its commands run once', async () => {
  const [user, other] = [await around.addUser(), await around.addUser()]
  const large = `MyBot(BTCUSDT) { ${'balance; '.repeat(40)} } `.repeat(5)
  // A repeat may meet the answer before it is shortened, and keeps it by the bound of where it arrives.
  const bound = { ANSWER_BYTES_PER_DAY: '800' }
  const [replica, elsewhere] = [await around.startReplica(bound), await around.startReplica(bound)]
  const shortened = async (id: string, text: string): Promise<Reply> => {
    const first = await post(replica, user.token, `@id ${id}\n${text}`)
    expect(first.status).toBe(200)
    // Each look counts towards the webhook's limit of a minute.
    const again = await waitUntil(
      async () => {
        const reply = await post(elsewhere, user.token, `@id ${id}\n${text}`)
        return reply.status === 200 && reply.body.results.length === 0 && reply
      },
      { deadlineMs: 40_000, intervalMs: 1500 },
    )
    const { alert_id, status, message } = first.body
    const answered = { alert_id, status, message: `${message}; the history has the results`, duplicate: true }
    expect([again.status, again.body]).toEqual([200, expect.objectContaining(answered)])
    return first
  }
  expect((await shortened('large', large)).body.results).toHaveLength(5)
  const whole = await post(replica, user.token, `@id 1\n${command}`)
  expect((await post(replica, user.token, `@id 1\n${command}`)).body).toEqual({
    ...whole.body,
    duplicate: true,
  })
  await shortened('2', command)
  await post(replica, other.token, `@id 3\n${command}`)
  expect((await post(replica, other.token, `@id 3\n${command}`)).body.results).toHaveLength(1)
  expect(await around.alertsOf(user)).toHaveLength(3)
})

test('beyond the ids that a user may have in a day known ones are answered, repeats take no room, and new ones are 429', async () => {
  const user = await around.addUser()
  const body = (id: string, commands = command): string => `@id ${id}\n${commands}`
  const replicas = [
    await around.startReplica({ IDS_PER_DAY: '4' }),
    await around.startReplica({ IDS_PER_DAY: '4' }),
  ]
  const [one = around.intake, other = around.intake] = replicas
  const first = await post(one, user.token, body('a'))
  for (let sent = 0; sent < 5; sent++) expect((await post(other, user.token, body('a'))).status).toBe(200)
  await post(other, user.token, body('b'))
  await post(one, user.token, body('c'))
  expect((await post(other, user.token, body('d'))).status).toBe(200)
  for (const replica of [...replicas, one]) {
    const beyond = await post(replica, user.token, body('e'))
    expect([beyond.status, beyond.body.error_code]).toEqual([429, 'rate_limited'])
    expect(beyond.body.error).toMatch(
      /^More than 4 alerts with an id of their own in a day\. Nothing was executed\. Send it without an id,/,
    )
  }
  expect((await post(one, user.token, command)).status).toBe(200)
  expect((await post(one, user.token, body('exit', 'MyBot(BTCUSDT) { market(position=0) }'))).status).toBe(
    200,
  )
  await around.emptyRedis()
  const known = await post(one, user.token, body('a'), { wait: 0 })
  expect(known.body).toMatchObject({ alert_id: first.body.alert_id, duplicate: true })
  around.advance(dayMs)
  const next = await post(one, user.token, body('e'))
  expect([next.status, next.body.duplicate]).toEqual([200, undefined])
})

const room = { take: async () => undefined }
const claimed = { isKnown: false, isExit: false, withinMs: 1000 }

test('an id is freed by the alert that holds it only', async () => {
  const { userId } = (await around.addUser()).config
  const ids = await openIds(await around.nats.connect('intake'), Date.now, room)
  const id = { userId, name: 'freed' }
  const [one, other, third] = [newAlertId(Date.now()), newAlertId(Date.now()), newAlertId(Date.now())]
  expect(await ids.claim({ ...claimed, id, alertId: one })).toBe(one)
  await ids.free(id, one)
  expect(await ids.claim({ ...claimed, id, alertId: other })).toBe(other)
  await ids.free(id, one)
  expect(await ids.claim({ ...claimed, id, alertId: third })).toBe(other)
})

test('users who fill the bucket of ids leave each other one a part, over all processes', async () => {
  const [bus, ops] = [await around.nats.connect('intake'), await around.nats.connect('ops')]
  const { config } = await ops.manager.streams.info('KV_ids')
  await ops.manager.streams.update('KV_ids', { max_bytes: 1000 * idBytes })
  const connection = askPatiently(
    openRedis(around.settings['REDIS_URL'] ?? '', `${randomUUID()}:`, testLog('ids'), { patienceMs: 5000 }),
    testLog('ids'),
  )
  await connection.connected(5000)
  let clock = Date.UTC(2026, 10, 21)
  const open = async (): Promise<Ids> =>
    await openIds(bus, () => clock, await openIdRoom(bus, connection, { mostADay: 1000, users: 20 }))
  const processes = [await open(), await open()]
  const claim = async (userId: UserId, number: number): Promise<boolean> => {
    // The room that is left is looked at again.
    clock += 6000
    const id = { userId, name: `${number}`.padStart(43, '0') }
    const ids = processes[number % 2]
    const holder = await ids?.claim({ ...claimed, id, alertId: newAlertId(clock) })
    // That was asked for before, on the same connection.
    await streamUse(bus, 'KV_ids')
    return typeof holder === 'string'
  }
  const taken = async (userId: UserId, most: number): Promise<number> => {
    for (let number = 0; number < most; number++) if (!(await claim(userId, number))) return number
    return most
  }
  const newUser = (): UserId => UserId.parse(randomUUID())
  const greedy = newUser()
  try {
    await ops.manager.streams.purge('KV_ids')
    const took = [await taken(greedy, 200)]
    for (let count = 1; count < 20; count++) took.push(await taken(newUser(), 200))
    // A tenth of the half that they share, and what each has in any case: a fortieth of the other half.
    expect(took[0]).toBeGreaterThan(40)
    expect(took[0]).toBeLessThan(75)
    expect(await taken(newUser(), 12)).toBe(12)
    const mine = { id: { userId: greedy, name: '0'.padStart(43, '0') }, alertId: newAlertId(clock) }
    const [known] = await Promise.all(processes.map(async (ids) => await ids.claim({ ...claimed, ...mine })))
    expect(typeof known).toBe('string')
    expect(known).not.toBe(mine.alertId)
  } finally {
    await ops.manager.streams.update('KV_ids', { max_bytes: config.max_bytes })
    await connection.stop()
  }
})

test('an id is stored for a day', async () => {
  const user = await around.addUser()
  around.redisWire.cut()
  await around.post(user.token, `@id day\n${command}`)
  around.advance(dayMs - 60_000)
  expect((await around.post(user.token, `@id day\n${command}`)).body.duplicate).toBe(true)
  around.advance(120_000)
  expect((await around.post(user.token, `@id day\n${command}`)).body.duplicate).toBeUndefined()
  await around.mendRedis()
})

test('equal texts without an id are alerts of their own once the one before is answered', async () => {
  const user = await around.addUser()
  const replies = [await around.post(user.token, command), await around.post(user.token, command)]
  around.advance(5000)
  replies.push(await around.post(user.token, command))
  expect(new Set(replies.map(({ body }) => body.alert_id)).size).toBe(3)
  expect(await around.alertsOf(user)).toHaveLength(3)
})

test('an equal text while the first is pending is a new alert, and after 4 s the resend of one that was cut off', async () => {
  const [user, other] = [await around.addUser(), await around.addUser()]
  const replica = await around.startReplica()
  const body = `silent ${command}`
  const waiting = [around.post(user.token, body)]
  await waitFor(async () => (await around.alertsOf(user)).length === 1)
  waiting.push(post(replica, user.token, body))
  await waitFor(async () => (await around.alertsOf(user)).length === 2)
  // Acknowledgements come in order: after these, both alerts above wait for their results.
  for (const intake of [around.intake, replica]) await post(intake, other.token, command)
  around.advance(4000)
  waiting.push(post(replica, user.token, body), around.post(user.token, body))
  const replies = await Promise.all(waiting)
  const ids = (some: Reply[]): string[] => some.map((reply) => reply.body.alert_id).sort()
  expect(replies.map(({ status }) => status)).toEqual([202, 202, 202, 202])
  expect(ids(replies.slice(0, 2))).toEqual((await around.alertsOf(user)).map(({ alertId }) => alertId))
  expect(ids(replies.slice(2))).toEqual(ids(replies.slice(0, 2)))
  expect(await around.alertsOf(user)).toHaveLength(2)
})
