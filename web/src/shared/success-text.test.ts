import { expect, test } from '@jest/globals'
import { successText } from './success-text.ts'

test.each([
  [
    { success: 3, partial: 1, failed: 2, refused: 1 },
    '3 of 5 succeeded; 1 partial and 1 failed count as not, 1 refused left out',
  ],
  [
    { success: 2, partial: 0, failed: 0, refused: 0 },
    '2 of 2 succeeded; 0 partial and 0 failed count as not',
  ],
])('the success rate of %j names its base', (ends, text) => {
  expect(successText(ends)).toBe(text)
})
