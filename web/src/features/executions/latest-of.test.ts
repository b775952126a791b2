import { describe, expect, test } from '@jest/globals'
import type { ExecutionView } from '@tripline/proto/http/execution'
import { isUnsettled, latestOf, standingOf } from './latest-of.ts'
import { sampleCommand, sampleExecution } from './sample-execution.ts'

const withStatus = (overall_status: ExecutionView['overall_status'], ...commands: string[]): ExecutionView =>
  sampleExecution({
    overall_status,
    commands_executed: commands.map((status) => sampleCommand({ status, execution_time_ms: null })),
  })

const running = withStatus('running', 'running')
const ended = withStatus('success', 'success')

describe('the text of an open execution', () => {
  test('comes from the list until there is more', () => {
    expect(latestOf(running, undefined)).toBe(running)
  })

  test('comes from the record of its flight, also where the list is not asked for any more', () => {
    expect(latestOf(running, ended)).toBe(ended)
    const amended = withStatus('partial', 'failed')
    expect(latestOf(ended, amended)).toBe(amended)
  })

  test('is the end where only the list knows it yet', () => {
    expect(latestOf(ended, running)).toBe(ended)
  })
})

test.each([
  [true, running],
  [true, withStatus('partial', 'success', 'unknown')],
  [false, ended],
  [false, withStatus('failed')],
])('more is to be found out: %s', (expected, execution) => {
  expect(isUnsettled(execution)).toBe(expected)
})

test('a command that turns out otherwise is another standing', () => {
  const before = withStatus('partial', 'success', 'unknown')
  expect(standingOf(withStatus('partial', 'success', 'failed'))).not.toBe(standingOf(before))
  expect(standingOf({ ...before })).toBe(standingOf(before))
})
