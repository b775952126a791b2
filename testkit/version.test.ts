import { expect, test } from '@jest/globals'
import { isVersionAtLeast } from './version.ts'

test.each([
  ['nats-server: v2.10.27', true],
  ['nats-server: v2.15.1', true],
  ['nats-server: v3.0.0', true],
  ['nats-server: v2.10.26', false],
  ['nats-server: v2.9.30', false],
  ['no version', false],
])('%s reaches 2.10.27: %s', (text, reaches) => {
  expect(isVersionAtLeast(text, [2, 10, 27])).toBe(reaches)
})
