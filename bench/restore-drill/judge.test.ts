import { expect, test } from '@jest/globals'
import type { ExecutionView } from '@tripline/proto/http/execution'
import type { Sent } from '../soak/check-window.ts'
import { judge } from './judge.ts'

const sent = (id: string): Sent => ({
  isAccepted: true,
  wanted: [{ clientOrderId: `t${id}`, executionId: `${id}-0`, lane: undefined }],
})
const executionOf = (id: string, overall_status: ExecutionView['overall_status'], order?: string) =>
  ({
    id: `${id}-0`,
    overall_status,
    commands_executed: [{ result: order === undefined ? null : { client_order_id: order } }],
  }) as unknown as ExecutionView

test('a history that has every order of the exchange is equal', () => {
  const { counts, violations } = judge({
    before: [sent('a'), sent('b')],
    after: [sent('c'), sent('d')],
    fresh: [sent('e')],
    journal: ['ta', 'tc', 'td', 'te'],
    history: ['a', 'c', 'e']
      .map((id) => executionOf(id, 'success', `t${id}`))
      .concat(executionOf('b', 'failed')),
  })
  expect(violations).toEqual([])
  expect(Object.values(counts)).toEqual([2, 1, 2, 1, 1, 1, 1, 1])
})

test('missing, made-up and doubled orders and executions without an end are reported', () => {
  const { violations } = judge({
    before: [sent('a'), sent('b')],
    after: [],
    fresh: [],
    journal: ['ta', 'tx', 'tx'],
    history: [executionOf('a', 'success'), executionOf('c', 'running', 'tc')],
  })
  expect(violations).toEqual([
    'order tx was placed 2 times',
    'order ta is not in the history',
    'order tc is in the history, and was never placed',
    'execution b-0 is not in the history',
    'execution c-0 has no end',
  ])
})
