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

test('those of the last second are the present one and as much of the one before as is missing', () => {
  let now = 50_000
  const { count, perSecond } = createThroughput(() => now)
  for (let counted = 0; counted < 40; counted++) count()
  now = 51_250
  for (let counted = 0; counted < 5; counted++) count()
  expect(perSecond()).toBe(35)
  now = 52_000
  expect(perSecond()).toBe(5)
  now = 54_000
  expect(perSecond()).toBe(0)
})
