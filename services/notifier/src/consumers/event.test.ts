import { expect, jest, test } from '@jest/globals'
import { testLog } from '@tripline/testkit/log'
import { Config } from '../config.ts'
import type { Db } from '../store/tables.ts'
import { takeEvents } from './event.ts'

const userId = '0d7e2c1c-5c0e-4c5e-9d5e-3f0a9a3c2b11'
const botId = '0d7e2c1c-5c0e-4c5e-9d5e-3f0a9a3c2b12'
const alertId = '01KAJ000000000000000000001'
const alarm = {
  kind: 'command.alarm',
  eventId: `${alertId}-0.0.alarm`,
  at: Date.now(),
  ...{ userId, alertId, executionId: `${alertId}-0`, botId, label: 'MyBot', exchange: 'paper_futures' },
  ...{ symbol: 'BTCUSDT', command: 0, type: 'market', code: 'E604', text: 'the stop was refused' },
}
const config = Config.parse({
  NATS_URL: 'nats://none',
  NATS_NKEY_SEED: 'none',
  DATABASE_URL: 'postgres://none',
  SEAL_PRIVATE_KEYS: 'none',
})

test('alarms of users who want no messages are counted, and nothing else of theirs is read', async () => {
  const log = testLog('notifier')
  const misunderstood = jest.spyOn(log, 'error')
  const onAlarm = jest.fn()
  const texts = ['{"kind":"command.dreamt"}', JSON.stringify([alarm])]
  const batch = texts.map((text, sequence) => ({ subject: `event.${userId}.${botId}`, sequence, text }))
  const db = undefined as unknown as Db
  await takeEvents({ config, db, log, settingsOf: () => undefined, onAlarm }, batch)
  expect(onAlarm).toHaveBeenCalledTimes(1)
  expect(misunderstood).not.toHaveBeenCalled()
})
