import { expect, test } from '@jest/globals'
import { reconnectDelayMs } from './reconnect-delay.ts'

test('the wait to reconnect doubles from one second up to 30', () => {
  expect([1, 2, 3, 4, 5, 6, 7, 2000].map(reconnectDelayMs)).toEqual([
    1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000,
  ])
})
