import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { store } from '@tripline/kit/bus/bus'
import { alertSubject } from '@tripline/proto/subject'
import { waitUntil } from '@tripline/testkit/wait-until'
import { alertId, eventsOfAlert, user } from '../../services/history/test/event-builder.ts'
import { type HistoryFixture, startFixture } from '../../services/history/test/history-fixture.ts'
import { closeLost } from '../ops/lost.ts'

const patience = { deadlineMs: 30_000 }

let history: HistoryFixture
beforeAll(async () => {
  history = await startFixture()
}, 60_000)
afterAll(async () => await history.stop())

test('an execution that runs without an alert is ended as unknown, and nothing else', async () => {
  const [ops, intake] = await Promise.all([history.nats.connect('ops'), history.nats.connect('intake')])
  const begun = [1, 2].flatMap((number) =>
    eventsOfAlert({ number }).filter(({ kind }) => ['execution.received', 'command.started'].includes(kind)),
  )
  await history.publish([...begun, ...eventsOfAlert({ number: 3 })])
  await waitUntil(async () => (await history.list()).total === 3, patience)
  const waiting = JSON.stringify({ alertId: alertId(2) })
  await store(intake, alertSubject(user), waiting, {
    messageId: 'alert',
    attemptMs: 2000,
    deadlineMs: 30_000,
  })

  expect((await closeLost(ops)).map((lost) => lost.alertId)).toEqual([alertId(1)])
  const ended = await waitUntil(async () => {
    const { executions } = await history.list({ status: 'failed' })
    return executions.length === 1 && executions
  }, patience)
  expect(ended).toMatchObject([
    {
      alertId: alertId(1),
      commands: [{ status: 'failed', errorCode: 'E602', error: expect.stringContaining('lost') }],
    },
  ])
  expect((await history.list({ status: 'running' })).executions.map((one) => one.alertId)).toEqual([
    alertId(2),
  ])
  expect(await closeLost(ops)).toEqual([])
}, 120_000)
