import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import type { UserId } from '@tripline/proto/id'
import { waitFor } from '@tripline/testkit/wait-for'
import { findFailure, noteFailure, releaseDelivered, restartDelivery } from '../src/store/delivery.ts'
import { alarm, failure, type NotifierFixture, notifierFixture } from './notifier-fixture.ts'

let notifier: NotifierFixture
beforeAll(async () => {
  notifier = await notifierFixture()
})
afterEach(async () => await notifier.clear())
afterAll(async () => await notifier.stop())

const linesOf = (texts: readonly string[]): string[] => texts.flatMap((text) => text.split('\n'))
const waiting = async (): Promise<string[]> =>
  (await notifier.db.selectFrom('note').select('id').where('sent_at', 'is', null).execute()).map(
    ({ id }) => id,
  )

describe('a message', () => {
  test('arrives as it was written, whatever stands in it', async () => {
    await notifier.start()
    const reader = await notifier.addReader()
    await notifier.publish(failure(reader, '<b>1 < 2 && "x" > \u0000y</b>'))
    await waitFor(() => notifier.textsOf(reader).length === 1)
    expect(notifier.textsOf(reader)).toEqual([
      expect.stringMatching(
        /^⚠️ \d\d:\d\d:\d\d UTC MyBot BTCUSDT market failed: E506 <b>1 < 2 && "x" > y<\/b>$/,
      ),
    ])
    const arrived = notifier.telegram.messages.find(({ token }) => token === reader.token)
    expect(arrived?.chatId).toBe(reader.chatId)
  })

  test('of a burst comes together with the others, in their order, and each comes once', async () => {
    await notifier.start({ GATHER_MS: 2000 })
    const reader = await notifier.addReader()
    const events = Array.from({ length: 60 }, (_, index) => failure(reader, `number ${index};`))
    await notifier.publish(...events)
    const lines = await waitFor(() => {
      const arrived = linesOf(notifier.textsOf(reader))
      return arrived.length >= 60 && arrived
    })
    expect(lines.map((line) => Number(/number (\d+);/.exec(line)?.[1]))).toEqual(
      events.map((_, index) => index),
    )
    expect(notifier.textsOf(reader).length).toBeLessThan(10)
  })

  test('of events that came in one message, some of them again alone, is that of each event, once', async () => {
    await notifier.start()
    const reader = await notifier.addReader()
    const events = [0, 1, 2].map((number) => failure(reader, `number ${number};`))
    await notifier.publishText(
      reader.userId,
      JSON.stringify([events[0], { kind: 'dream' }, ...events.slice(1)]),
    )
    await notifier.publish(...events.slice(0, 2), failure(reader, 'number 3;'))
    const lines = await waitFor(() => {
      const arrived = linesOf(notifier.textsOf(reader))
      return arrived.length >= 4 && arrived
    })
    expect(lines.map((line) => Number(/number (\d+);/.exec(line)?.[1]))).toEqual([0, 1, 2, 3])
    expect(notifier.lines.filter((line) => line.includes('event not understood'))).toHaveLength(1)
  })

  test('of high priority waits for no others, and takes along the waiting ones', async () => {
    const { port } = await notifier.start({ GATHER_MS: 600_000 })
    const reader = await notifier.addReader()
    await notifier.publish(failure(reader, 'patient'))
    await waitFor(async () => (await waiting()).length === 1)
    await notifier.publish(alarm(reader, 'the stop was refused'))
    await waitFor(() => notifier.textsOf(reader).length === 1)
    expect(linesOf(notifier.textsOf(reader))).toEqual([
      expect.stringContaining('patient'),
      expect.stringContaining('🚨'),
    ])
    // Telegram has the message before the notifier has Telegram's answer.
    const metrics = await waitFor(async () => {
      const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
      return text.includes('tripline_messages_total{outcome="sent",process="notifier"} 1') && text
    })
    expect(metrics).toContain('tripline_alarms_total{process="notifier"} 1')
  })

  test('comes once, also when its event comes again or two replicas are at work', async () => {
    await Promise.all([notifier.start(), notifier.start()])
    const reader = await notifier.addReader()
    const event = failure(reader, 'once')
    await notifier.publish(event)
    await waitFor(() => notifier.textsOf(reader).length === 1)
    await notifier.publishText(reader.userId, JSON.stringify(event))
    await notifier.publish(failure(reader, 'after'))
    await waitFor(() => linesOf(notifier.textsOf(reader)).some((line) => line.includes('after')))
    expect(linesOf(notifier.textsOf(reader)).filter((line) => line.includes('once'))).toHaveLength(1)
  })

  test('survives the notifier: unsent messages are sent by the next one', async () => {
    const first = await notifier.start()
    const reader = await notifier.addReader()
    notifier.telegram.setFault(reader.token, { status: 500 })
    await notifier.publish(failure(reader, 'before the end'))
    await waitFor(async () => (await notifier.failureOf(reader.userId)) !== null)
    await first.stop()
    await notifier.publish(failure(reader, 'while nobody is there'))
    notifier.telegram.clearFault(reader.token)
    await notifier.start()
    await waitFor(() => linesOf(notifier.textsOf(reader)).length === 2)
    expect(linesOf(notifier.textsOf(reader))).toEqual([
      expect.stringContaining('before the end'),
      expect.stringContaining('while nobody is there'),
    ])
  })

  test('waits for the database, and nothing is lost', async () => {
    await notifier.start()
    const reader = await notifier.addReader()
    notifier.database.cut()
    await notifier.publish(failure(reader, 'without a database'))
    await waitFor(() => notifier.lines.some((line) => line.includes('batch not taken')))
    notifier.database.mend()
    await waitFor(() => notifier.textsOf(reader).length === 1)
  })

  test('is outdated after a while, and then nobody is notified', async () => {
    await notifier.start({ NOTE_LIFE_MINUTES: 1 })
    const reader = await notifier.addReader()
    await notifier.publish(failure(reader, 'old', { at: Date.now() - 61_000 }), failure(reader, 'new'))
    await waitFor(() => notifier.textsOf(reader).length === 1)
    expect(notifier.textsOf(reader)[0]).toMatch(/new$/)
  })

  test('that nobody can read, or that is no event, holds up nothing', async () => {
    await notifier.start()
    const reader = await notifier.addReader()
    await notifier.publishText(reader.userId, '{"kind":"something.new"}')
    await notifier.publishText(reader.userId, 'no JSON')
    notifier.telegram.setFault(reader.token, {
      status: 400,
      description: "Bad Request: can't parse entities",
      count: 1,
    })
    await notifier.publish(failure(reader, 'unreadable'))
    await waitFor(() => notifier.requestsOf(reader) === 1)
    await notifier.publish(failure(reader, 'readable'))
    await waitFor(() => notifier.textsOf(reader).length === 1)
    expect(await notifier.failureOf(reader.userId)).toBeNull()
  })
})

describe('a failure', () => {
  test('of the network, a 5xx or silence is tried again until it works, and then forgotten', async () => {
    await notifier.start({ TELEGRAM_TIMEOUT_MS: 2000 })
    const reader = await notifier.addReader()
    notifier.telegram.setFault(reader.token, { isSilent: true })
    await notifier.publish(failure(reader, 'hello'))
    await waitFor(async () => (await notifier.failureOf(reader.userId)) === 'Telegram cannot be reached')
    const unanswered = notifier.requestsOf(reader)
    notifier.telegram.setFault(reader.token, { status: 502, count: 2 })
    await waitFor(() => notifier.textsOf(reader).length === 1)
    await waitFor(async () => (await notifier.failureOf(reader.userId)) === null)
    expect(notifier.requestsOf(reader) - unanswered).toBe(3)
  })

  test.each([
    ['in the answer', { retryAfterS: 8 }],
    ['in the header', { headers: { 'retry-after': '8' } }],
  ])('of sending too much waits as long as Telegram says %s', async (_where, wait) => {
    await notifier.start()
    const reader = await notifier.addReader()
    notifier.telegram.setFault(reader.token, { status: 429, count: 1, ...wait })
    await notifier.publish(failure(reader, 'hello'))
    const planned = await waitFor(async () => {
      const row = await notifier.db.selectFrom('delivery').selectAll().executeTakeFirst()
      return row?.last_error_at && row
    })
    const waitMs = Date.parse(planned.due_at ?? '') - Date.parse(planned.last_error_at ?? '')
    expect(waitMs).toBe(8000)
    await waitFor(() => notifier.textsOf(reader).length === 1)
  })

  test.each([
    ['a token that is no more', 401, 'Unauthorized', 'Telegram does not know this bot token'],
    ['a chat that there is not', 400, 'Bad Request: chat not found', /does not know this chat id/],
    ['a chat that shut the bot out', 403, 'Forbidden: bot was blocked', /may not write to this chat/],
  ])('of %s is shown to its owner and stops nobody else', async (_what, status, description, shown) => {
    await notifier.start()
    const [broken, other] = [await notifier.addReader(), await notifier.addReader()]
    notifier.telegram.setFault(broken.token, { status, description })
    await notifier.publish(failure(broken, 'lost?'), failure(other, 'heard'))
    await waitFor(() => notifier.textsOf(other).length === 1)
    const error = await waitFor(async () => await notifier.failureOf(broken.userId))
    expect(error).toMatch(shown)
    expect(await notifier.failureOf(other.userId)).toBeNull()
    await waitFor(async () => (await waiting()).length === 1)
  })

  test('ends with the settings that caused it: waiting messages go where they lead now', async () => {
    await notifier.start()
    const reader = await notifier.addReader()
    notifier.telegram.setFault(reader.token, { status: 401 })
    await notifier.publish(failure(reader, 'kept'))
    await waitFor(async () => (await notifier.failureOf(reader.userId)) !== null)
    const mended = { ...reader, token: `${reader.token}-new` }
    notifier.telegram.addBot(mended.token, mended.chatId)
    await notifier.configure(mended)
    await waitFor(() => notifier.textsOf(mended).length === 1)
    await waitFor(async () => (await notifier.failureOf(reader.userId)) === null)
  })

  test('of many chats that never answer leaves the others their messages', async () => {
    await notifier.start({ TELEGRAM_TIMEOUT_MS: 60_000 })
    const silent = await Promise.all(Array.from({ length: 20 }, async () => await notifier.addReader()))
    const other = await notifier.addReader()
    for (const { token } of silent) notifier.telegram.setFault(token, { isSilent: true })
    await notifier.publish(...silent.map((reader) => failure(reader, 'unheard')))
    await waitFor(() => silent.every((reader) => notifier.requestsOf(reader) === 1))
    await notifier.publish(failure(other, 'heard'))
    await waitFor(() => notifier.textsOf(other).length === 1)
  })
})

type Moments = Record<'begunAt' | 'nextAt' | 'now', string>

test.each([
  [
    'a message',
    async (userId: UserId, moments: Moments) =>
      await releaseDelivered(notifier.db, { userId, attempts: 0, leftOut: 0 }, moments),
  ],
  [
    'a test message',
    async (userId: UserId, moments: Moments) => await restartDelivery(notifier.db, userId, moments),
  ],
])('%s that arrives clears earlier failures, and not those since it was begun', async (_name, arrive) => {
  const { userId } = await notifier.addReader()
  const at = (second: number): string => `2026-11-23T08:00:0${second}.000Z`
  await noteFailure(notifier.db, userId, 'failed meanwhile', at(2))
  await arrive(userId, { begunAt: at(1), nextAt: at(3), now: at(3) })
  expect((await findFailure(notifier.db, userId)).lastError).toBe('failed meanwhile')
  await arrive(userId, { begunAt: at(3), nextAt: at(4), now: at(4) })
  expect(await findFailure(notifier.db, userId)).toEqual({ lastError: null, lastErrorAt: null })
})

test('a queue is bounded: the oldest are left out, and the reader is notified how many', async () => {
  await notifier.start({ NOTES_PER_USER: 5 })
  const reader = await notifier.addReader()
  notifier.telegram.setFault(reader.token, { status: 500 })
  for (let index = 0; index < 12; index++) await notifier.publish(failure(reader, `number ${index};`))
  await waitFor(async () => (await waiting()).length === 5)
  await waitFor(async () => {
    const row = await notifier.db.selectFrom('delivery').select('left_out').executeTakeFirst()
    return row?.left_out === 7
  })
  notifier.telegram.clearFault(reader.token)
  await waitFor(() => notifier.textsOf(reader).length === 1)
  const [top, ...lines] = linesOf(notifier.textsOf(reader))
  expect(top).toBe('… 7 earlier messages were left out')
  expect(lines.map((line) => /number (\d+);/.exec(line)?.[1])).toEqual(['7', '8', '9', '10', '11'])
})

test('a user who turns notifications off is notified no more, not even of waiting messages', async () => {
  await notifier.start()
  const reader = await notifier.addReader()
  notifier.telegram.setFault(reader.token, { status: 500 })
  await notifier.publish(failure(reader, 'unwanted'))
  await waitFor(async () => (await notifier.failureOf(reader.userId)) !== null)
  await notifier.configure(reader, { isEnabled: false })
  await waitFor(async () => (await waiting()).length === 0)
  notifier.telegram.clearFault(reader.token)
  await notifier.configure(reader)
  const other = await notifier.addReader()
  await notifier.publish(failure(reader, 'wanted again'), failure(other, 'marks the end'))
  await waitFor(() => notifier.textsOf(other).length === 1 && notifier.textsOf(reader).length === 1)
  expect(notifier.textsOf(reader)).toEqual([expect.stringContaining('wanted again')])
})
