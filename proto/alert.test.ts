import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { overallStatus } from './alert.ts'

const done = { status: 'success' } as const
const failed = { status: 'failed' } as const
const inPart = { ...failed, errorCode: 'E604', result: { stopLoss: null, takeProfit: null } }
const undone = { ...failed, errorCode: 'E604', result: { undone: [] } }

describe('the overall status', () => {
  test.each([
    [[done], 'success'],
    [[done, done], 'success'],
    [[done, failed], 'partial'],
    [[failed, done], 'partial'],
    [[failed], 'failed'],
    [[failed, failed], 'failed'],
    [[inPart], 'partial'],
    [[inPart, { status: 'skipped' } as const], 'partial'],
    [[undone], 'failed'],
  ])('of %j is %s', (commands, expected) => {
    expect(overallStatus(commands)).toBe(expected)
  })

  test('does not hang on the order of the commands', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(done, failed, inPart, undone), { minLength: 1 }), (commands) => {
        expect(overallStatus([...commands].reverse())).toBe(overallStatus(commands))
      }),
    )
  })
})
