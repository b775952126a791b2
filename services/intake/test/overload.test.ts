import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { publish } from '@tripline/kit/bus/bus'
import type { AlertsDelayed } from '@tripline/proto/executor-request'
import { alertsDelayedSubject, partitionCount } from '@tripline/proto/subject'
import { waitFor } from '@tripline/testkit/wait-for'
import { type Surroundings, surroundings, type TestUser } from './surroundings.ts'

const entry = 'MyBot(BTCUSDT) { market(buy, 0.01) }'
const exit = 'MyBot(BTCUSDT) { market(position=0) }'
const partitions = Array.from({ length: partitionCount }, (_, partition) => partition)

let around: Surroundings
beforeAll(async () => {
  // Nothing executes them: as many wait as are sent.
  around = await surroundings({ RESULT_WAIT_MS: '0' })
})
afterAll(async () => await around.stop())

async function crowd(count: number): Promise<TestUser[]> {
  return await Promise.all(Array.from({ length: count }, async () => await around.addUser()))
}

async function report(report: Partial<AlertsDelayed> | string): Promise<void> {
  const executor = await around.nats.connect('executor')
  const usual: AlertsDelayed = { executor: 'one', queue: 'alerts', partitions, delayMs: 900, perSecond: 10 }
  publish(
    executor,
    alertsDelayedSubject,
    typeof report === 'string' ? report : JSON.stringify({ ...usual, ...report }),
  )
  await executor.close()
}

test('while alerts wait, more are answered 503 and not stored, and those that only close or cancel are taken', async () => {
  const users = await crowd(12)
  for (const { token } of users)
    for (let sent = 0; sent < 5; sent++) expect((await around.post(token, entry)).status).toBe(202)
  await report('{"delayMs": 1e999}')
  await report({})
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
