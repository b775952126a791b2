import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { AlertResult } from '@tripline/proto/alert'
import { waitFor } from '@tripline/testkit/wait-for'
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
    executor.tell(succeed(alert))
    return replies.length > 0
  })
  expect(replies.map(({ status, body }) => [status, body.alert_id, body.duplicate])).toEqual([
    [200, alert.alertId, undefined],
    [200, alert.alertId, true],
  ])
  expect(await around.alertsOf(user)).toHaveLength(1)
})

test('a result that comes after the answer is what a repeat gets', async () => {
  const user = await around.addUser()
  const first = await around.post(user.token, `silent ${command}\n@id late`, { wait: 0 })
  expect(first.status).toBe(202)
  const alert = await waitFor(async () => (await around.alertsOf(user))[0])
  executor.tell(succeed(alert))
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

test('an id is kept for a day', async () => {
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
