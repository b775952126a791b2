import { expect, test } from '@jest/globals'
import { pauseAfter } from './service-process.ts'

test('a service that dies is started again at once, and ever later where it goes on dying', () => {
  expect([1, 2, 3, 4, 5, 6, 20].map(pauseAfter)).toEqual([0, 500, 1000, 2000, 4000, 5000, 5000])
})
