import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { subscribe } from '@tripline/kit/bus/bus'
import { sendRequest } from '@tripline/kit/bus/request'
import { readStored } from '@tripline/kit/bus/stream-reader'
import { deleteBot, getWebhook, regenerateWebhook, updateWebhook } from '@tripline/proto/key-request'
import { updateNotificationSettings } from '@tripline/proto/notification-request'
import {
  type KeysFixture,
  keysFixture,
  link,
  newUser,
  openPaperAccounts,
  refusal,
  secret,
} from './keys-fixture.ts'

let keys: KeysFixture
let stopPaper: () => void
const received: { subject: string; text: string }[] = []
beforeAll(async () => {
  keys = await keysFixture()
  subscribe(keys.ops, '>', (text, subject) => received.push({ subject, text }))
  await keys.ops.connection.flush()
  stopPaper = openPaperAccounts(keys.executor).stop
  await keys.start()
})
afterAll(async () => {
  stopPaper()
  await keys.stop()
})

/** Everything that the buckets and the database hold, as text. */
const dump = async (): Promise<string> => {
  const start = { from: 'sequence', sequence: 1 } as const
  const streams = ['KV_config', 'KV_credentials', 'KV_notifications']
  const stored = await Promise.all(
    streams.map(async (stream) => await readStored(keys.ops, { stream, filter: '>', start })),
  )
  const tables = ['user_config', 'webhook', 'bot', 'notification', 'unlinked_bot'] as const
  const rows = await Promise.all(
    tables.map(async (table) => await keys.db.selectFrom(table).selectAll().execute()),
  )
  return JSON.stringify([stored, rows])
}

test('neither log, bucket nor database holds a secret in clear, and a token travels in answers only', async () => {
  const userId = newUser()
  const { token } = await sendRequest(keys.gateway, getWebhook, { userId })
  await link(keys.gateway, userId)
  await sendRequest(keys.gateway, updateWebhook, { userId, isActive: false })
  const { token: newToken } = await sendRequest(keys.gateway, regenerateWebhook, { userId })
  const sealedToken = 'v1.notifier.sealed'
  await sendRequest(keys.gateway, updateNotificationSettings, { userId, sealedToken, chatId: '42' })
  const { id: botId } = await link(keys.gateway, userId, { label: 'Other' })
  await sendRequest(keys.gateway, deleteBot, { userId, botId })
  expect(await refusal(link(keys.gateway, userId))).toBe('conflict')
  expect(await refusal(link(keys.gateway, userId, { label: '()' }))).toBe('invalid_request')

  const stored = `${keys.lines.join('\n')}\n${await dump()}`
  expect(stored).toContain(userId)
  expect(keys.lines.join('\n')).not.toContain(sealedToken)
  for (const canary of [token, newToken, secret, keys.kek.split(':')[1]]) expect(stored).not.toContain(canary)

  const subjectsWith = (text: string): string[] =>
    received.filter((message) => message.text.includes(text)).map((message) => message.subject)
  expect(subjectsWith(secret)).toEqual([])
  expect(subjectsWith(token)).toHaveLength(2)
  expect(subjectsWith(newToken)).toHaveLength(1)
  for (const subject of [...subjectsWith(token), ...subjectsWith(newToken)])
    expect(subject).toMatch(/^_INBOX_gateway\./)
})
