import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { readStored } from '@tripline/kit/bus/stream-reader'
import { waitFor } from '@tripline/testkit/wait-for'
import { failure, type NotifierFixture, notifierFixture, type Reader } from './notifier-fixture.ts'

let notifier: NotifierFixture
beforeAll(async () => {
  notifier = await notifierFixture()
  await notifier.start({ TELEGRAM_TIMEOUT_MS: 4000 })
})
afterAll(async () => await notifier.stop())

const refusalOf = async ({ userId }: Pick<Reader, 'userId'>): Promise<unknown> =>
  await notifier.sendTest(userId).then(
    () => 'not refused',
    (error: { code?: string }) => error.code,
  )

describe('a test message', () => {
  test('is sent at once, also while notifications are off', async () => {
    const reader = await notifier.addReader({ isEnabled: false })
    expect(await notifier.sendTest(reader.userId)).toEqual({ success: true, error: null })
    expect(notifier.textsOf(reader)).toEqual([expect.stringContaining('test message')])
  })

  test('goes by the settings that were saved a moment ago', async () => {
    const reader = await notifier.addReader()
    for (let round = 0; round < 5; round++) {
      const moved = { ...reader, chatId: `${900 + round}` }
      notifier.telegram.addBot(reader.token, moved.chatId)
      await notifier.configure(moved)
      await notifier.sendTest(reader.userId)
      expect(notifier.telegram.messages.at(-1)?.chatId).toBe(moved.chatId)
    }
  })

  test('that fails says why, and the reason stays to be seen until one arrives', async () => {
    const reader = await notifier.addReader()
    notifier.telegram.setFault(reader.token, { status: 404, description: 'Not Found', count: 1 })
    const error = 'Telegram does not know this bot token'
    expect(await notifier.sendTest(reader.userId)).toEqual({ success: false, error })
    expect(await notifier.failureOf(reader.userId)).toBe(error)
    expect(await notifier.sendTest(reader.userId)).toMatchObject({ success: true })
    expect(await notifier.failureOf(reader.userId)).toBeNull()
  })

  test('is refused while token or chat are missing, and for a user who never set any', async () => {
    expect(await refusalOf(await notifier.addReader({ sealedToken: null }))).toBe('conflict')
    expect(await refusalOf(await notifier.addReader({ chatId: null }))).toBe('conflict')
    const nobody = await notifier.addReader()
    await notifier.configure(nobody, { userId: nobody.userId, sealedToken: null, chatId: null })
    expect(await refusalOf(nobody)).toBe('conflict')
  })

  test('is refused while another one of the user is under way', async () => {
    const reader = await notifier.addReader()
    notifier.telegram.setFault(reader.token, { isSilent: true, count: 1 })
    const before = notifier.telegram.requests.length
    const first = notifier.sendTest(reader.userId)
    await waitFor(() => notifier.telegram.requests.length > before)
    expect(await refusalOf(reader)).toBe('rate_limited')
    expect(await first).toMatchObject({ success: false, error: 'Telegram cannot be reached' })
  })

  test('follows no redirect, since another address would receive the token', async () => {
    const reader = await notifier.addReader()
    const before = notifier.telegram.requests.length
    const headers = { location: `${notifier.telegram.url}/elsewhere` }
    notifier.telegram.setFault(reader.token, { status: 307, headers, count: 1 })
    expect(await notifier.sendTest(reader.userId)).toMatchObject({ success: false })
    expect(notifier.telegram.requests).toHaveLength(before + 1)
  })
})

describe('a bot token is protected', () => {
  test("another user's sealed token does not open", async () => {
    const [reader, thief] = [await notifier.addReader(), await notifier.addReader()]
    const entry = await notifier.db.selectFrom('delivery').selectAll().execute()
    expect(entry.length).toBeGreaterThan(0)
    const start = { from: 'sequence', sequence: 1 } as const
    const stored = await readStored(notifier.ops, { stream: 'KV_notifications', filter: '>', start })
    const theirs = stored.find(({ subject }) => subject.endsWith(reader.userId))
    const { sealedToken } = JSON.parse(theirs?.text ?? '{}')
    await notifier.configure(thief, { sealedToken })
    expect(await notifier.sendTest(thief.userId)).toEqual({
      success: false,
      error: 'The stored bot token cannot be read, please enter it again',
    })
  })

  test('it is in no log, no table and no message on the bus', async () => {
    const reader = await notifier.addReader()
    const received: string[] = []
    notifier.ops.connection.subscribe('>', { callback: (_error, message) => received.push(message.string()) })
    await notifier.ops.connection.flush()
    for (const status of [400, 401, 403, 404, 429, 500]) {
      notifier.telegram.setFault(reader.token, { status, description: `bad ${reader.token}`, count: 1 })
      await notifier.sendTest(reader.userId)
    }
    notifier.telegram.setFault(reader.token, { status: 500, description: reader.token, count: 2 })
    await notifier.publish(failure(reader, 'fails at first'))
    await waitFor(() => notifier.textsOf(reader).length === 1)
    const rows = await Promise.all(
      (['note', 'delivery'] as const).map(
        async (table) => await notifier.db.selectFrom(table).selectAll().execute(),
      ),
    )
    const stored = JSON.stringify([notifier.lines, rows, received])
    expect(stored).toContain(reader.userId)
    expect(stored).not.toContain('CANARY')
  })
})
