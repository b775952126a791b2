import { expect, test } from '@jest/globals'
import { percentText } from './percent-text.ts'

test.each([
  [0, 1, '0'],
  [29, 100, '29'],
  [1, 3, '33.3'],
  [2, 3, '66.7'],
  [1, 9999, '0.1'],
  [1999, 2000, '99.9'],
  [999_999, 1_000_000, '99.9'],
  [7, 7, '100'],
])('%d of %d are %s percent', (part, whole, text) => {
  expect(percentText(part / whole)).toBe(text)
})

test('a whole percent is shown as it is', () => {
  for (let percent = 0; percent <= 100; percent++) expect(percentText(percent / 100)).toBe(String(percent))
})
