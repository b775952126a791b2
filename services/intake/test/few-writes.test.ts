import { Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, jest, test } from '@jest/globals'
import { openRedis } from '@tripline/kit/redis'
import type { AlertId, UserId } from '@tripline/proto/id'
import { testLog } from '@tripline/testkit/log'
import { redis } from '@tripline/testkit/redis'
import { waitFor } from '@tripline/testkit/wait-for'
import { newAlertId } from '../src/alert-id.ts'
import { unlimited } from '../src/domain/quota.ts'
import { openAcceptedLanes } from '../src/store/accepted-lanes.ts'
import { openOwnAttempts } from '../src/store/own-attempts.ts'
import { askPatiently } from '../src/store/patient-redis.ts'
import { openRateLimit } from '../src/store/rate-limit.ts'
import { openSenders } from '../src/store/senders.ts'
import { openSpending } from '../src/store/spending.ts'
import { openUnanswered, sentAtOnce } from '../src/store/unanswered.ts'

const userId = '0d7e2c1c-5c0e-4c5e-9d5e-3f0a9a3c2b11' as UserId
const cost = { bytes: 500, commands: 1, orders: 1 }

test('the record of an alert reaches Redis in one write once it is accepted, with the answer of the one before', async () => {
  const log = testLog('few-writes')
  const { url, prefix, stop } = await redis()
  const patient = askPatiently(openRedis(url, prefix, log, { patienceMs: 5000, sentAtOnce }), log)
  await patient.connected(5000)
  const rateLimit = openRateLimit(patient)
  const spending = openSpending(patient, 'spent', unlimited)
  const senders = openSenders(patient)
  const lanes = openAcceptedLanes(patient)
  const unanswered = openUnanswered(patient)
  const own = openOwnAttempts(unanswered, Date.now)
  const takeAlert = async (): Promise<AlertId> => {
    const now = Date.now()
    const alertId = newAlertId(now)
    senders.note('token', '203.0.113.7', now)
    await rateLimit.admit('token', 60, now)
    own.begin('body', { alertId, openAt: now })
    await spending.take('user', cost, now)
    lanes.note({ userId, lanes: ['bot BTCUSDT'], body: 'body' }, now)
    return alertId
  }
  const isUsed = async (times: number): Promise<boolean> =>
    (await rateLimit.used('token', Date.now())) === times
  // The first one waits for what Redis knows, and scripts that run together go there in full once.
  own.answered('body', await takeAlert())
  await waitFor(async () => await isUsed(1))
  const first = await takeAlert()
  await waitFor(async () => await isUsed(2))
  own.answered('body', first)
  const second = await takeAlert()
  await waitFor(async () => await isUsed(3))
  const writes = jest.spyOn(Socket.prototype, 'write')
  own.answered('body', second)
  const third = await takeAlert()
  // Long enough for whatever would follow the first one.
  for (let round = 0; round < 20; round++) await nextTurn()
  expect(writes).toHaveBeenCalledTimes(2)
  writes.mockRestore()
  expect(await rateLimit.used('token', Date.now())).toBe(4)
  const opened = await unanswered.openedIn(0, Date.now())
  expect(opened?.map(({ alertId }) => alertId)).toEqual([third])
  await patient.stop()
  await stop()
})
