import { expect, test } from '@jest/globals'
import { momentText } from './moment-text.ts'

test.each([
  ['UTC', { day: '11-21', time: '23:05:07.040' }],
  ['Asia/Tokyo', { day: '11-22', time: '08:05:07.040' }],
  ['America/New_York', { day: '11-21', time: '18:05:07.040' }],
])('an instant by the clock of %s', (zone, expected) => {
  expect(momentText('2026-11-21T23:05:07.040Z', zone)).toEqual(expected)
})

test('midnight is the hour 00', () => {
  expect(momentText('2026-11-21T00:00:00.000Z', 'UTC').time).toBe('00:00:00.000')
})
