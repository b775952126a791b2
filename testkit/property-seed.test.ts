import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { seed } from './seed.ts'

test('properties draw their inputs from the seed of the run', () => {
  expect(fc.readConfigureGlobal()).toEqual({ seed })
})
