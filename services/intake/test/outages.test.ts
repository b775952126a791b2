import { afterEach, beforeEach, describe, expect, test } from '@jest/globals'
import { waitFor } from '@tripline/testkit/wait-for'
import { succeed } from './executor.ts'
import { post, type Surroundings, surroundings, type TestUser } from './surroundings.ts'

const message = 'MyBot(BTCUSDT) { market(buy, 0.01) }'

let around: Surroundings
let user: TestUser

/** Intake with a user and an executor, for each test; `patienceMs` is how long it waits for Redis. */
function eachWithPatience(patienceMs: number): void {
  beforeEach(async () => {
    around = await surroundings({ RESULT_WAIT_MS: '5000', REDIS_PATIENCE_MS: String(patienceMs) })
    user = await around.addUser()
    await around.execute()
  })
  afterEach(async () => await around.stop())
}

async function isReady(): Promise<boolean> {
  return (await fetch(`http://127.0.0.1:${around.intake.port}/readyz`)).ok
}

async function outage(kind: 'cut' | 'stall'): Promise<void> {
  around.busWire[kind]()
  if (kind === 'cut') await waitFor(async () => !(await isReady()))
}

async function busIsBack(): Promise<void> {
  around.busWire.mend()
  await waitFor(isReady)
  const other = await waitFor(async () => await around.addUser())
  await waitFor(async () => (await around.post(other.token, message)).status === 200)
}

describe.each(['cut', 'stall'] as const)('the bus is away (%s)', (kind) => {
  eachWithPatience(5000)

  test('an alert answers 503, and nothing of it is stored, then or later', async () => {
    await outage(kind)
    const { status, body } = await around.post(user.token, message)
    expect([status, body.status, body.error_code]).toEqual([503, 'failed', 'not_durable'])
    expect(body.message).toContain(body.alert_id)
    expect(body.message).toContain('history')
    await busIsBack()
    expect(await around.alertsOf(user)).toEqual([])
    const event = await waitFor(async () => (await around.refusalsOf(user))[0])
    expect(event).toMatchObject({ alertId: body.alert_id, errorCode: 'not_durable', message })
  })

  test('alerts behind one that fails fail in their own time', async () => {
    await outage(kind)
    const start = performance.now()
    const replies = await Promise.all(Array.from({ length: 20 }, () => around.post(user.token, message)))
    // One after the other they would take 27 s.
    expect(performance.now() - start).toBeLessThan(20_000)
    for (const { status } of replies) expect(status).toBe(503)
    around.busWire.mend()
    await waitFor(async () => (await around.refusalsOf(user)).length === replies.length)
  })

  test('a resend of an alert that got 503 takes over its id, and is marked as no first one', async () => {
    await outage(kind)
    const failed = await around.post(user.token, message)
    await busIsBack()
    const resent = await around.post(user.token, message)
    const next = await around.post(user.token, message)
    expect(resent).toMatchObject({ status: 200, body: { alert_id: failed.body.alert_id } })
    expect(next.body.alert_id).not.toBe(failed.body.alert_id)
    expect(await around.alertsOf(user)).toMatchObject([
      { alertId: failed.body.alert_id, isFirst: false },
      { alertId: next.body.alert_id, isFirst: true },
    ])
  })

  test('a resend to another replica takes over the id as soon as the 503 is there', async () => {
    const replica = await around.startReplica()
    await outage(kind)
    const failed = await around.post(user.token, message)
    const resent = await post(replica, user.token, message)
    expect([failed.status, resent.status]).toEqual([503, 503])
    expect(resent.body.alert_id).toBe(failed.body.alert_id)
    await busIsBack()
  })

  test("one user's alerts are stored once and in the order of their receipt, across outages", async () => {
    const workers = Array.from({ length: 4 }, async (_, worker) => {
      for (let round = 0; round < 10; round++) await sendUntilTaken(`${worker} ${round} ${message}`)
    })
    for (const reached of [8, 24]) {
      await waitFor(async () => (await around.alertsOf(user)).length >= reached)
      around.busWire[kind]()
      await waitFor(async () => (await around.post('nobody', message)).status === 404)
      around.busWire.mend()
    }
    await Promise.all(workers)
    const stored = await around.alertsOf(user)
    expect(new Set(stored.map((alert) => alert.message)).size).toBe(40)
    expect(stored).toHaveLength(40)
    // Ids rise in the order of receipt; what is sent again after a 503 keeps the id of its first attempt.
    const first = stored.filter(({ isFirst }) => isFirst).map(({ alertId }) => alertId)
    expect(first).toEqual([...first].sort())
  })

  /** A result published during an outage is not received, then the answer is 202; a 503 asks to send it again. */
  async function sendUntilTaken(text: string): Promise<void> {
    const { status } = await around.post(user.token, text)
    expect([200, 202, 503]).toContain(status)
    if (status === 503) await sendUntilTaken(text)
  }
})

describe('the lane is full', () => {
  eachWithPatience(5000)

  test('an alert answers 503, and a resend is taken once there is room', async () => {
    await around.post(user.token, message)
    await around.fillLane(user)
    const { status, body } = await around.post(user.token, message)
    expect([status, body.error_code]).toEqual([503, 'not_durable'])
    expect(body.message).toContain('Too many alerts are waiting')
    await around.emptyLane(user)
    const resent = await around.post(user.token, message)
    expect(resent).toMatchObject({ status: 200, body: { alert_id: body.alert_id } })
  })
})

describe.each(['cut', 'stall'] as const)('Redis is away (%s)', (kind) => {
  eachWithPatience(500)

  test('alerts are executed, and after the first not even delayed', async () => {
    around.redisWire[kind]()
    expect((await around.post(user.token, message)).status).toBe(200)
    const other = await around.addUser()
    const start = performance.now()
    for (let round = 0; round < 55; round++) {
      for (const { token } of [user, other]) expect((await around.post(token, message)).status).toBe(200)
    }
    // If each waited for Redis until it gave up, they would take 55 s.
    expect(performance.now() - start).toBeLessThan(20_000)
  })

  test('limits and ids hold within the process, and again for all when it is back', async () => {
    const narrow = await around.addUser({ maxRequestsPerMinute: 3 })
    const stamped = `@id one\n${message}`
    await around.post(narrow.token, stamped)
    around.redisWire[kind]()
    expect((await around.post(narrow.token, stamped)).body.duplicate).toBe(true)
    await around.post(narrow.token, `@id two\n${message}`)
    expect((await around.post(narrow.token, message)).status).toBe(429)
    await around.mendRedis()
    around.advance(61_000)
    expect((await around.post(narrow.token, `@id two\n${message}`)).body.duplicate).toBe(true)
    const replica = await around.startReplica({ REDIS_PATIENCE_MS: '5000' })
    expect((await post(replica, narrow.token, `@id two\n${message}`)).body.duplicate).toBe(true)
    expect(await around.alertsOf(narrow)).toHaveLength(2)
  })

  test.each(['still away', 'back'])('a resend after a 503 takes over the id while it is %s', async (then) => {
    around.redisWire[kind]()
    await around.post(user.token, 'which finds that Redis is away')
    around.busWire.cut()
    const failed = await around.post(user.token, message)
    if (then === 'back') {
      await around.mendRedis()
    }
    await busIsBack()
    const resent = await around.post(user.token, message)
    const next = await around.post(user.token, message)
    expect(resent).toMatchObject({ status: 200, body: { alert_id: failed.body.alert_id } })
    expect(next.body.alert_id).not.toBe(failed.body.alert_id)
  })
})

describe.each(['cut', 'stall'] as const)('Redis goes away before an answer is there (%s)', (kind) => {
  beforeEach(async () => {
    around = await surroundings({ REDIS_PATIENCE_MS: '500' })
    user = await around.addUser()
  })
  afterEach(async () => await around.stop())

  test('an equal alert is a new one, here and at another replica, once Redis is back', async () => {
    const executor = await around.execute(() => undefined)
    const answering = around.post(user.token, message)
    const [alert] = await waitFor(() => executor.taken.length > 0 && executor.taken)
    around.redisWire[kind]()
    if (alert !== undefined) executor.publishResult(succeed(alert))
    expect((await answering).status).toBe(200)
    await around.execute()
    await around.mendRedis()
    around.advance(5000)
    const second = await around.post(user.token, message)
    expect(second.body.alert_id).not.toBe(alert?.alertId)
    await waitFor(async () => !(await around.unanswered()).includes(alert?.alertId))
    const replica = await around.startReplica()
    const third = await post(replica, user.token, message)
    expect(third.body.alert_id).not.toBe(alert?.alertId)
  })
})
