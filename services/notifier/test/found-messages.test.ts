import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals'
import { waitFor } from '@tripline/testkit/wait-for'
import { failure, type NotifierFixture, notifierFixture, refusal } from './notifier-fixture.ts'

let notifier: NotifierFixture
beforeAll(async () => {
  notifier = await notifierFixture()
})
afterEach(async () => await notifier.clear())
afterAll(async () => await notifier.stop())

const nothing = { isOn: true, isKnown: true, sentAt: null, waiting: 0, lastError: null }

test('messages about an execution are found: waiting, failing, sent', async () => {
  await notifier.start()
  const reader = await notifier.addReader()
  const event = failure(reader, 'no margin')
  expect(await notifier.messagesAbout(event)).toEqual(nothing)
  notifier.telegram.setFault(reader.token, { status: 500 })
  await notifier.publish(event, failure(reader, 'another'))
  await waitFor(async () => {
    const { waiting, lastError } = await notifier.messagesAbout(event)
    return waiting === 1 && lastError === 'Telegram cannot be reached'
  })
  notifier.telegram.clearFault(reader.token)
  await waitFor(async () => (await notifier.messagesAbout(event)).sentAt !== null)
  expect(await notifier.messagesAbout(event)).toEqual({ ...nothing, sentAt: expect.stringMatching(/Z$/) })
  expect(await notifier.db.selectFrom('note').select('html').execute()).toEqual([{ html: '' }, { html: '' }])
})

test('one that was not wanted, or of another user, is not', async () => {
  await notifier.start()
  const [reader, other] = [await notifier.addReader({ bots: [] }), await notifier.addReader()]
  const silent = failure(reader, 'nobody is notified')
  const wanted = failure(other, 'wanted')
  await notifier.publish(silent, wanted)
  await waitFor(async () => (await notifier.messagesAbout(wanted)).sentAt !== null)
  expect(await notifier.messagesAbout(silent)).toEqual(nothing)
  expect(await notifier.messagesAbout({ ...wanted, userId: reader.userId })).toEqual(nothing)
  await notifier.configure(reader, { isEnabled: false })
  await waitFor(async () => !(await notifier.messagesAbout(silent)).isOn)
})

test('one message stands for all alerts of a minute that name no bot', async () => {
  await notifier.start()
  const reader = await notifier.addReader()
  const first = refusal(reader)
  const second = { ...refusal(reader), at: first.at }
  await notifier.publish(first, second)
  await waitFor(async () => (await notifier.messagesAbout(second)).sentAt !== null)
  expect(notifier.textsOf(reader)).toHaveLength(1)
})

test('a sent message is known for days, and then forgotten', async () => {
  await notifier.start()
  const reader = await notifier.addReader()
  const event = failure(reader, 'old')
  const daysAgo = (days: number) => ({ ...event, at: event.at - days * 86_400_000 })
  expect(await notifier.messagesAbout(daysAgo(6))).toMatchObject({ isKnown: true })
  expect(await notifier.messagesAbout(daysAgo(8))).toMatchObject({ isKnown: false })
})
