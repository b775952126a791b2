import { expect, test } from '@jest/globals'
import { relativeTimeText } from './relative-time.ts'

const now = Date.parse('2026-11-21T12:00:00.000Z')

test.each([
  ['2026-11-21T11:59:30.000Z', 'just now'],
  ['2026-11-21T12:00:30.000Z', 'just now'],
  ['2026-11-21T11:54:10.000Z', '5 min ago'],
  ['2026-11-21T08:30:00.000Z', '3 h ago'],
  ['2026-11-19T11:00:00.000Z', '2 d ago'],
])('%s is shown as %s', (instant, text) => {
  expect(relativeTimeText(instant, now)).toBe(text)
})
