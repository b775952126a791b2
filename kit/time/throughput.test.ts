import { expect, test } from '@jest/globals'
import { createThroughput } from './throughput.ts'

test('the most of three seconds is that of the minute that runs and the one before', () => {
  let now = 10_000
  const { count, mostPerSecond } = createThroughput(() => now)
  expect(mostPerSecond()).toBe(0)
  const countIn = (second: number, times: number): void => {
    now = 1000 * second
    for (let counted = 0; counted < times; counted++) count()
  }
  countIn(30, 40)
  countIn(32, 20)
  countIn(33, 7)
  expect(mostPerSecond()).toBe(20)
  countIn(100, 15)
  expect(mostPerSecond()).toBe(20)
  countIn(130, 6)
  expect(mostPerSecond()).toBe(5)
  now = 400_000
  expect(mostPerSecond()).toBe(0)
})
