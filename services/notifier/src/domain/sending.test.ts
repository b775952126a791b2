import { expect, test } from '@jest/globals'
import { retryDelayMs, sendingOf } from './sending.ts'

test.each([
  [200, '', 'sent'],
  [400, 'Bad Request: chat not found', 'refused'],
  [400, "Bad Request: can't parse entities: Unsupported start tag", 'unreadable'],
  [401, 'Unauthorized', 'refused'],
  [403, 'Forbidden: bot was blocked by the user', 'refused'],
  [404, 'Not Found', 'refused'],
  [429, 'Too Many Requests', 'later'],
  [302, '', 'later'],
  [500, '', 'later'],
  [502, '', 'later'],
])('an answer %p "%s" means %s, and its words are not passed on', (status, description, outcome) => {
  const sending = sendingOf(status, description, undefined)
  expect(sending.outcome).toBe(outcome)
  if (description !== '') expect(JSON.stringify(sending)).not.toContain(description)
})

test('a passing fault is tried again soon, at first, and never more than five minutes apart', () => {
  const later = { outcome: 'later', error: '', retryAfterMs: undefined } as const
  const delays = [0, 1, 2, 9, 1000].map((attempts) => retryDelayMs(later, attempts, 1000))
  expect(delays).toEqual([1000, 2000, 4000, 300_000, 300_000])
})

test('Telegram says itself how long to wait, up to an hour', () => {
  const waitOf = (retryAfterS: number) => {
    const sending = sendingOf(429, '', retryAfterS)
    return sending.outcome === 'later' && retryDelayMs(sending, 5, 1000)
  }
  expect([waitOf(7), waitOf(86_400)]).toEqual([7000, 3_600_000])
})

test('a broken token is tried from a minute to an hour apart', () => {
  const refused = { outcome: 'refused', error: '' } as const
  const delays = [0, 1, 6, 50].map((attempts) => retryDelayMs(refused, attempts, 1000))
  expect(delays).toEqual([60_000, 120_000, 3_600_000, 3_600_000])
})
