import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { type Bus, publish } from '@tripline/kit/bus/bus'
import type { AlertsDelayed } from '@tripline/proto/executor-request'
import { alertsDelayedSubject, partitionCount } from '@tripline/proto/subject'
import { waitFor } from '@tripline/testkit/wait-for'
import { type Surroundings, surroundings, type TestUser } from './surroundings.ts'

const entry = 'MyBot(BTCUSDT) { market(buy, 0.01) }'
const exit = 'MyBot(BTCUSDT) { market(position=0) }'
const partitions = Array.from({ length: partitionCount }, (_, partition) => partition)

let around: Surroundings
let executor: Bus
beforeAll(async () => {
  // Nothing executes them: as many wait as are sent.
  around = await surroundings({ RESULT_WAIT_MS: '0' })
  executor = await around.nats.connect('executor')
})
afterAll(async () => await around.stop())

async function crowd(count: number): Promise<TestUser[]> {
  return await Promise.all(Array.from({ length: count }, async () => await around.addUser()))
}

function report(report: Partial<AlertsDelayed> | string = {}): void {
  const usual: AlertsDelayed = {
    executor: 'one',
    queue: 'alerts',
    partitions,
    delayMs: 900,
    perSecond: 40,
    mostPerSecond: 40,
  }
  publish(
    executor,
    alertsDelayedSubject,
    typeof report === 'string' ? report : JSON.stringify({ ...usual, ...report }),
  )
}

/** Has as many alerts wait as make others late. */
async function letWait(): Promise<void> {
  for (const { token } of await crowd(7))
    for (let sent = 0; sent < 5; sent++) expect((await around.post(token, entry)).status).toBe(202)
}

test('while alerts wait, more are answered 503 and not stored, and those that only close or cancel are taken', async () => {
  await letWait()
  report('{"delayMs": 1e999}')
  report()
  const user = await around.addUser()
  const refused = await waitFor(async () => {
    const reply = await around.post(user.token, entry)
    return reply.status === 503 && reply
  })
  expect(refused.headers.get('retry-after')).toBe('1')
  expect(refused.body).toMatchObject({
    error_code: 'unavailable',
    retry_after: 1,
    error:
      'More alerts come now than can be executed in time. Nothing was executed. Try again in 1 s. An alert that only closes or cancels is still taken.',
  })
  const stored = (await around.alertsOf(user)).map(({ alertId }) => alertId)
  expect(stored).not.toContain(refused.body.alert_id)
  expect((await around.post(user.token, exit)).status).toBe(202)
  const [recorded] = await waitFor(async () => {
    const events = await around.refusalsOf(user)
    return events.length > 0 && events
  })
  expect(recorded).toMatchObject({ errorCode: 'unavailable', alertId: refused.body.alert_id })
})

test('while alerts wait, what was accepted before is no new alert, and is not refused', async () => {
  const [user, other, another, closing] = (await crowd(4)) as [TestUser, TestUser, TestUser, TestUser]
  // By then nothing is limited any more.
  around.advance(60_000)
  const [named, later] = [`@id named\n${entry}`, `@id later\n${entry}`]
  const first = await around.post(user.token, named)
  const lost = await around.post(user.token, entry, { delivery: 'lost' })
  around.publishDelivery('lost', false)
  await waitFor(async () => (await around.openNow()).includes(lost.body.alert_id))
  await letWait()
  const reporting = setInterval(report, 100)
  try {
    await waitFor(async () => (await around.post(other.token, entry)).status === 503)
    // They take the room of the next seconds.
    for (let sent = 0; sent < 30; sent++) expect((await around.post(closing.token, exit)).status).toBe(202)
    const resent = await around.post(user.token, entry)
    expect(resent).toMatchObject({ status: 202, body: { resent_as: lost.body.alert_id } })
    const repeated = await around.post(user.token, named)
    expect(repeated).toMatchObject({ status: 202, body: { duplicate: true, alert_id: first.body.alert_id } })
    expect((await around.post(another.token, later)).status).toBe(503)
  } finally {
    clearInterval(reporting)
  }
  around.advance(60_000)
  const accepted = await around.post(another.token, later)
  expect(accepted.status).toBe(202)
  expect(accepted.body).not.toHaveProperty('duplicate')
})
