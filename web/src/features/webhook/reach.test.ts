import { expect, test } from '@jest/globals'
import { unreachableBecause } from './reach.ts'

test.each([
  ['http://localhost:8080/webhook/x', 'local'],
  ['http://127.0.0.1/webhook/x', 'local'],
  ['https://tripline.example/webhook/x', undefined],
  ['https://tripline.example:443/webhook/x', undefined],
  ['http://tripline.example:80/webhook/x', undefined],
  ['https://tripline.example:8443/webhook/x', 'port'],
])('%s is unreachable because: %s', (url, reason) => {
  expect(unreachableBecause(url)).toBe(reason)
})
