import { expect, test } from '@jest/globals'
import { stricterState } from './stricter-state.ts'

test('the state that allows less applies, whoever set it', () => {
  const states = ['active', 'reducing', 'halted'] as const
  const table = states.map((one) => states.map((other) => stricterState(one, other)))
  expect(table).toEqual([
    ['active', 'reducing', 'halted'],
    ['reducing', 'reducing', 'halted'],
    ['halted', 'halted', 'halted'],
  ])
})
