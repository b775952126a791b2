import { describe, expect, test } from '@jest/globals'
import type { ExecutionPage, ExecutionView } from '@tripline/proto/http/execution'
import { arrive } from './arrivals.ts'
import { sampleExecution } from './sample-execution.ts'

const execution = (id: string, overall_status: ExecutionView['overall_status'] = 'success'): ExecutionView =>
  sampleExecution({ id, alert_id: id, overall_status })

const page = (ids: string, has_more = false): ExecutionPage => ({
  executions: [...ids].map((id) => execution(id)),
  total: ids.length,
  has_more,
  next_cursor: null,
})

const idsOf = ({ executions }: { executions: readonly ExecutionView[] }) =>
  executions.map(({ id }) => id).join('')

describe('new executions', () => {
  test('show up at once while the list is not held', () => {
    const shown = arrive(arrive(undefined, page('cba'), false), page('dcb'), false)
    expect([idsOf(shown), shown.waiting]).toEqual(['dcb', 0])
  })

  test('wait while the list is held, and no row moves or vanishes', () => {
    const shown = arrive(arrive(undefined, page('cba'), false), page('edc'), true)
    expect([idsOf(shown), shown.waiting, shown.isMoreWaiting]).toEqual(['cba', 2, false])
  })

  test('are more than counted where a whole page is new', () => {
    const shown = arrive(arrive(undefined, page('cba'), false), page('hgf', true), true)
    expect([shown.waiting, shown.isMoreWaiting]).toEqual([3, true])
  })

  test('are not waited for by an empty list', () => {
    expect(idsOf(arrive(arrive(undefined, page(''), false), page('a'), true))).toBe('a')
  })
})

test('a held row is brought up to date where it stands', () => {
  const before = arrive(
    undefined,
    { ...page(''), executions: [execution('b', 'running'), execution('a')] },
    false,
  )
  const after = arrive(before, page('cb'), true)
  expect(after.executions.map(({ overall_status }) => overall_status)).toEqual(['success', 'success'])
  expect(idsOf(after)).toBe('ba')
})
