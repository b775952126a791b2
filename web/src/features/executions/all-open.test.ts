import { expect, test } from '@jest/globals'
import { areAllOpen } from './all-open.ts'

const page = [{ id: 'a' }, { id: 'b' }]

test.each([
  ['when each of them is', page, ['a', 'b', 'c'], true],
  ['but not for rows of another page', page, ['c', 'd'], false],
  ['but not with one that is closed', page, ['a', 'c'], false],
  ['but not where there is none', [], ['c'], false],
])('the rows of a page are all open %s', (_when, rows, open, expected) => {
  expect(areAllOpen(rows, new Set(open))).toBe(expected)
})
