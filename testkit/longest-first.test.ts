import { existsSync } from 'node:fs'
import { expect, test } from '@jest/globals'
import LongestFirst, { longest } from './longest-first.ts'

test('files that are known to take long are there, and begin first; the others follow by their size', () => {
  expect(longest.filter((file) => !existsSync(file))).toEqual([])
  const [first = '', second = ''] = longest
  const sizes = new Map([
    ['small', 1],
    ['large', 2],
  ])
  const context = { hasteFS: { getSize: (file: string) => sizes.get(file) ?? null } }
  const files = ['small', second, 'large', first].map((path) => ({ path, context }))
  expect(new LongestFirst().sort(files).map(({ path }) => path)).toEqual([first, second, 'large', 'small'])
})
