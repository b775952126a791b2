import { expect, test } from '@jest/globals'
import { screens } from './screens.tsx'

test.each(['path', 'name', 'letter'] as const)('no two screens have the same %s', (field) => {
  const values: readonly string[] = screens.map((screen) => screen[field])
  expect(values.toSorted()).toEqual([...new Set(values)].toSorted())
})
