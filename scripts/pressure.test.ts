import { expect, test } from '@jest/globals'
import { pressureBetween } from './pressure.ts'

test('tells for which part of a time something waited', () => {
  const before = { cpu: 1_000_000, io: 500_000, memory: 0 }
  const after = { cpu: 10_300_000, io: 700_000, memory: 0 }
  expect(pressureBetween(before, after, 10_000)).toBe('cpu 93 %, io 2 %, memory 0 %')
})

test('tells nothing where the machine does not', () => {
  expect(pressureBetween({}, { cpu: 5 }, 1000)).toBe('')
})
