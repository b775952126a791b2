import { expect, test } from '@jest/globals'
import { judgeReceiveWindow } from './receive-window.ts'

test.each([
  [10_000, 'inside'],
  [5_000, 'inside'],
  [4_999, 'tooOld'],
  [10_999, 'inside'],
  [11_000, 'ahead'],
])('a request made at %i is %s at 10,000 with a window of 5,000', (timestamp, verdict) => {
  expect(judgeReceiveWindow(timestamp, 5_000, 10_000)).toBe(verdict)
})
