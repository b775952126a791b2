import { expect, test } from '@jest/globals'
import { labelFault } from './label-fault.ts'

const message =
  'Invalid label: Label can only contain letters, numbers, hyphens, underscores, and spaces (max 50 characters)'

test.each([
  ['', 'Label is required'],
  ['   ', 'Label is required'],
  ['My Bot_1-a', undefined],
  ['Bot!', message],
  ['x'.repeat(51), message],
])('the label "%s"', (label, fault) => {
  expect(labelFault(label)).toBe(fault)
})
