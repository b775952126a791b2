import { expect, test } from '@jest/globals'
import { notificationOf } from './notification-of.ts'

const none = { is_on: true, is_known: true, sent_at: null, waiting: 0, last_error: null }
const sent_at = '2026-11-21T12:00:01.500Z'

test.each([
  ['was sent', { sent_at }, ['success', 'Sent to Telegram at 13:00:01.500.']],
  [
    'was sent longer ago than is known',
    { sent_at, is_known: false },
    ['success', 'Sent to Telegram at 13:00:01.500.'],
  ],
  ['waits, behind one that was sent', { sent_at, waiting: 1 }, ['running', 'A message waits to be sent.']],
  [
    'fails',
    { waiting: 2, last_error: 'Telegram does not know this bot token' },
    ['failed', 'Not sent yet: Telegram does not know this bot token. It is tried again.'],
  ],
  ['is not wanted', {}, ['recorded', 'Not sent: this bot has no notification of this kind enabled.']],
  ['has nowhere to go', { is_on: false }, ['recorded', 'Not sent: Telegram is off or not set up.']],
  ['is forgotten', { is_known: false }, ['recorded', 'Too long ago to tell whether a message was sent.']],
])('a message that %s', (_name, part, expected) => {
  const { status, detail } = notificationOf({ ...none, ...part }, 'Europe/Rome')
  expect([status, detail]).toEqual(expected)
})

test('messages for which the notifier sends nothing', () => {
  expect(notificationOf(null, 'UTC').detail).toBe('Whether a message was sent could not be loaded.')
})
