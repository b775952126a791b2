import { expect, test } from '@jest/globals'
import { createRecent } from './recent.ts'

test('an added value is known, until so many others were added since', () => {
  const { add } = createRecent(2)
  expect(['a', 'a', 'b', 'a', 'c'].map(add)).toEqual([true, false, true, false, true])
  expect(['b', 'c', 'a', 'b'].map(add)).toEqual([false, false, true, true])
})
