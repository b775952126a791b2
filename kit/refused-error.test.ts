import { describe, expect, test } from '@jest/globals'
import { diagnosticCodes, type RefusalCode, refusals } from '@tripline/proto/error-code'
import { refusalStatus } from './refused-error.ts'

describe('the status of a refusal', () => {
  test('is 401 for sessions only, and never 403', () => {
    const codes = Object.keys(refusals) as RefusalCode[]
    expect(codes.filter((code) => refusalStatus(code) === 401)).toEqual([
      'invalid_login',
      'unverified',
      'unauthorized',
    ])
    expect(codes.filter((code) => refusalStatus(code) === 403)).toEqual([])
  })

  test('is 422 for every message that cannot be carried out', () => {
    const statuses = Object.keys(diagnosticCodes).map((code) => refusalStatus(code as 'E101'))
    expect(new Set(statuses)).toEqual(new Set([422]))
  })
})
