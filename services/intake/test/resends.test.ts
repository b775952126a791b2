import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { HttpService } from '@tripline/kit/lifecycle'
import type { AlertMessage } from '@tripline/proto/alert'
import { AlertId } from '@tripline/proto/id'
import { waitFor } from '@tripline/testkit/wait-for'
import { readersBefore } from '@tripline/testkit/wire/version-before'
import { succeed, type TestExecutor } from './executor.ts'
import { post, type Surroundings, surroundings, type TestUser } from './surroundings.ts'

const buy = 'MyBot(BTCUSDT) { market(buy, 0.01) }'
const sell = 'MyBot(BTCUSDT) { market(sell, 0.01) }'

let around: Surroundings
let replica: HttpService
let executor: TestExecutor
let isSilent = false

beforeAll(async () => {
  around = await surroundings({ RESULT_WAIT_MS: '4000' })
  replica = await around.startReplica()
  executor = await around.execute((alert) => (isSilent ? undefined : succeed(alert)))
})
afterAll(async () => await around.stop())

/** Sends a body and hangs up while the alert runs; its result comes afterwards. */
async function hangUp(user: TestUser, body: string): Promise<AlertMessage> {
  const before = (await around.alertsOf(user)).length
  const hangingUp = new AbortController()
  isSilent = true
  const answering = around.post(user.token, body, { signal: hangingUp.signal })
  const alert = await waitFor(async () => (await around.alertsOf(user))[before])
  // Stored is not yet taken: an executor that is silent no more would answer it before its caller hangs up.
  await waitFor(() => executor.taken.some(({ alertId }) => alertId === alert.alertId))
  isSilent = false
  hangingUp.abort()
  await expect(answering).rejects.toThrow()
  // A connection that hung up is known to be open at once, long before it would be taken for cut off.
  await waitFor(async () => (await around.openNow()).includes(alert.alertId))
  executor.publishResult(succeed(alert))
  return alert
}

describe('an alert whose caller hung up while it ran', () => {
  test('is resent by an equal body 5 s later, which gets its result and says so', async () => {
    const user = await around.addUser()
    const { alertId } = await hangUp(user, buy)
    around.advance(5000)
    const resent = await around.post(user.token, buy)
    expect(resent).toMatchObject({
      status: 200,
      body: { alert_id: alertId, resent_as: alertId, status: 'success', results: [{ label: 'MyBot' }] },
    })
    expect(resent.body.duplicate).toBeUndefined()
    expect(await around.alertsOf(user)).toHaveLength(1)
    const event = await waitFor(async () => (await around.resendsOf(user))[0])
    expect(event).toMatchObject({ alertId, executionId: `${alertId}-0`, resentAs: alertId })
    expect(readersBefore()({ of: 'event.*.*', value: event })).toBeUndefined()
  })

  test('is resent at another replica as well', async () => {
    const user = await around.addUser()
    const { alertId } = await hangUp(user, buy)
    around.advance(5000)
    isSilent = true
    const resent = await post(replica, user.token, buy)
    isSilent = false
    expect(resent.body).toMatchObject({ alert_id: alertId, resent_as: alertId })
    expect(await around.alertsOf(user)).toHaveLength(1)
  })

  test.each(['there', 'away'])(
    'is resent by one of two equal bodies that come to two replicas at once, with Redis %s',
    async (redis) => {
      for (let round = 0; round < 5; round++) {
        const user = await around.addUser()
        const { alertId } = await hangUp(user, buy)
        around.advance(5000)
        await waitFor(async () => (await around.openNow()).includes(alertId))
        if (redis === 'away') around.redisWire.cut()
        const replies = await Promise.all(
          [around.intake, replica].map(async (one) => await post(one, user.token, buy)),
        )
        const resent = replies.filter(({ body }) => body.resent_as === alertId)
        const alerts = await around.alertsOf(user)
        expect(alerts.filter((alert) => alert.alertId === alertId)).toHaveLength(1)
        // Without Redis each takes it over, under the one id that runs once.
        if (redis === 'there') expect(resent).toHaveLength(1)
        expect(new Set([alertId, ...replies.map(({ body }) => body.alert_id)]).size).toBe(alerts.length)
        if (redis === 'away') await around.mendRedis()
      }
    },
  )

  test('is done once its resend is answered', async () => {
    const user = await around.addUser()
    const { alertId } = await hangUp(user, buy)
    around.advance(5000)
    expect((await around.post(user.token, buy)).body.alert_id).toBe(alertId)
    await waitFor(async () => !(await around.openNow()).includes(alertId))
    const next = await around.post(user.token, buy)
    expect(next.body.alert_id).not.toBe(alertId)
    expect(next.body.resent_as).toBeUndefined()
  })

  test('is another one than an equal body more than 20 s behind its loss', async () => {
    const user = await around.addUser()
    const { alertId } = await hangUp(user, buy)
    around.advance(20_500)
    expect((await around.post(user.token, buy)).body.alert_id).not.toBe(alertId)
    expect(await around.alertsOf(user)).toHaveLength(2)
  })

  test.each([
    ['here', () => around.intake],
    ['at another replica', () => replica],
  ])('is never resent behind another alert of its lane that was taken %s', async (_where, at) => {
    const user = await around.addUser()
    const { alertId } = await hangUp(user, sell)
    await post(at(), user.token, buy)
    around.advance(5000)
    const again = await around.post(user.token, sell)
    expect(again.body.alert_id).not.toBe(alertId)
    expect(again.body.resent_as).toBeUndefined()
    expect(await around.alertsOf(user)).toHaveLength(3)
  })

  test('is never resent behind another alert of its lane that is still being stored', async () => {
    const user = await around.addUser()
    await hangUp(user, sell)
    around.advance(5000)
    around.busWire.cut()
    const other = around.post(user.token, buy)
    // It has its turn by when Redis has counted it.
    await waitFor(async () => (await around.admittedOf(user)) === 2)
    const answering = around.post(user.token, sell)
    await waitFor(async () => (await around.admittedOf(user)) === 3)
    around.busWire.mend()
    const [stored, again] = await Promise.all([other, answering])
    expect([stored.status, again.status]).toEqual([200, 200])
    expect(again.body.resent_as).toBeUndefined()
    expect(await around.alertsOf(user)).toHaveLength(3)
  })

  test('is resent behind an equal one, which says nothing else', async () => {
    const user = await around.addUser()
    const { alertId } = await hangUp(user, sell)
    const equal = await around.post(user.token, sell, { wait: 5000 })
    expect(equal.body.alert_id).not.toBe(alertId)
    around.advance(5000)
    expect((await around.post(user.token, sell)).body.alert_id).toBe(alertId)
  })

  test('is resent behind an alert of another lane', async () => {
    const user = await around.addUser()
    const { alertId } = await hangUp(user, sell)
    await around.post(user.token, 'MyBot(ETHUSDT) { market(buy, 0.1) }')
    await around.post(user.token, 'Spot1(BTCUSDT) { market(buy, 0.1) }')
    around.advance(5000)
    expect((await around.post(user.token, sell)).body.alert_id).toBe(alertId)
  })

  test.each([
    ['here', () => around.intake],
    ['at another replica', () => replica],
  ])('is resent %s after Redis has forgotten everything', async (_where, at) => {
    const user = await around.addUser()
    const { alertId } = await hangUp(user, buy)
    around.redisWire.cut()
    await around.emptyRedis()
    await around.mendRedis()
    await waitFor(async () => (await around.openNow()).includes(alertId))
    // So long after it asked last, a replica asks again what is open.
    around.advance(400)
    const resent = await post(at(), user.token, buy)
    expect(resent.body).toMatchObject({ alert_id: alertId, resent_as: alertId })
    expect(await around.alertsOf(user)).toHaveLength(1)
  })
})

test('an alert that was answered 503 is not resent behind another one of its lane', async () => {
  const user = await around.addUser()
  around.busWire.cut()
  const failed = await around.post(user.token, sell)
  expect(failed.status).toBe(503)
  around.busWire.mend()
  await waitFor(async () => (await fetch(`http://127.0.0.1:${around.intake.port}/readyz`)).ok)
  expect((await around.post(user.token, buy)).status).toBe(200)
  around.advance(5000)
  const again = await around.post(user.token, sell)
  expect(again.status).toBe(200)
  expect(again.body.alert_id).not.toBe(failed.body.alert_id)
})

describe('behind the gateway', () => {
  test('an alert is open as long as the gateway does not report that its answer was delivered', async () => {
    const user = await around.addUser()
    const request = randomUUID()
    const first = await around.post(user.token, buy, { delivery: request })
    expect(first.headers.get('x-tripline-delivery')).toBe(request)
    around.advance(4100)
    const resent = await around.post(user.token, buy, { delivery: randomUUID() })
    expect(resent.body).toMatchObject({ alert_id: first.body.alert_id, resent_as: first.body.alert_id })
  })

  test('an alert is done once the gateway reports that its answer was delivered', async () => {
    const user = await around.addUser()
    const request = randomUUID()
    const first = await around.post(user.token, buy, { delivery: request })
    expect(await around.unanswered()).toContain(first.body.alert_id)
    around.publishDelivery(request, true)
    await waitFor(async () => !(await around.unanswered()).includes(first.body.alert_id))
    around.advance(4100)
    const next = await around.post(user.token, buy, { delivery: randomUUID() })
    expect(next.body.alert_id).not.toBe(first.body.alert_id)
  })

  test('an alert is open again when the gateway reports that its answer was lost after all', async () => {
    const user = await around.addUser()
    const request = randomUUID()
    const first = await around.post(user.token, buy, { delivery: request })
    around.publishDelivery(request, true)
    await waitFor(async () => !(await around.unanswered()).includes(first.body.alert_id))
    around.publishDelivery(request, false)
    await waitFor(async () => (await around.openNow()).includes(first.body.alert_id))
    expect((await around.post(user.token, buy)).body.resent_as).toBe(first.body.alert_id)
  })

  test('an alert whose answer proved to be lost while Redis was away is open once that is back', async () => {
    const user = await around.addUser()
    const request = randomUUID()
    const first = await around.post(user.token, buy, { delivery: request })
    around.publishDelivery(request, true)
    await waitFor(async () => !(await around.unanswered()).includes(first.body.alert_id))
    around.redisWire.cut()
    await around.post((await around.addUser()).token, buy)
    around.publishDelivery(request, false)
    // Read behind the delivery, which comes over the same connection.
    await around.read(user.config.userId, buy)
    await around.mendRedis()
    expect((await around.post(user.token, buy)).body.resent_as).toBe(first.body.alert_id)
  })

  test.each([
    ['arrived', { isReceived: true, tookMs: 20 }, false],
    ['was lost', { isReceived: false, tookMs: 20 }, true],
    ['came when platforms have hung up', { isReceived: true, tookMs: 4500 }, true],
  ])('an answer of a process that died before it received that it %s', async (_name, delivery, isResend) => {
    const user = await around.addUser()
    const id = randomUUID()
    const first = await around.post(user.token, buy, { delivery: id })
    const alertId = AlertId.parse(first.headers.get('x-tripline-alert'))
    expect(alertId).toBe(first.body.alert_id)
    const stop = around.keepDelivery({ id, alertId, ...delivery })
    const reborn = await around.startReplica()
    stop()
    around.advance(4100)
    const next = await post(reborn, user.token, buy, { delivery: randomUUID() })
    expect(next.body.resent_as).toBe(isResend ? alertId : undefined)
  })
})
