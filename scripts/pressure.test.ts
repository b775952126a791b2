import { expect, test } from '@jest/globals'
import { pressureBetween } from './pressure.ts'

test('the parts of a time in which something waited are given in percent', () => {
  const before = { cpu: 1_000_000, io: 500_000, memory: 0 }
  const after = { cpu: 10_300_000, io: 700_000, memory: 0 }
  expect(pressureBetween(before, after, 10_000)).toBe('cpu 93 %, io 2 %, memory 0 %')
})

test('a machine that counts no waiting gives none', () => {
  expect(pressureBetween({}, { cpu: 5 }, 1000)).toBe('')
})
