import { expect, test } from '@jest/globals'
import { instantOf, localText, momentText } from './moment-text.ts'

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

test.each([
  ['2026-11-21T00:00', 'UTC', '2026-11-21T00:00:00.000Z'],
  ['2026-11-21T08:05', 'Asia/Tokyo', '2026-11-20T23:05:00.000Z'],
  // The clocks of Rome are put back at 3:00 on 25 October, and forward at 2:00 on 29 March.
  ['2026-10-25T01:59', 'Europe/Rome', '2026-10-24T23:59:00.000Z'],
  ['2026-10-25T03:00', 'Europe/Rome', '2026-10-25T02:00:00.000Z'],
  ['2026-03-29T03:00', 'Europe/Rome', '2026-03-29T01:00:00.000Z'],
])('%s by the clock of %s is %s, and back', (local, zone, instant) => {
  expect(instantOf(local, zone)).toBe(instant)
  expect(localText(instant, zone)).toBe(local)
})

test('a text that is no time is no instant', () => {
  expect(instantOf('', 'UTC')).toBeUndefined()
  expect(instantOf('soon', 'UTC')).toBeUndefined()
})
