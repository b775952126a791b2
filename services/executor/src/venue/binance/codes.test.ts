import { expect, test } from '@jest/globals'
import { futuresCodes, spotCodes } from './codes.ts'

// "Error codes" of the documentation: the service shuts down; too many connections are in use.
test.each([-1016, -1034])(
  'the code %i is a limit, and leaves the outcome open where the server failed',
  (code) => {
    for (const codes of [futuresCodes, spotCodes]) {
      const refusal = { code, text: 'no', status: 400 }
      expect(codes.meaningOf(refusal).code).toBe('E603')
      expect(codes.leavesOpen(refusal)).toBe(false)
      expect(codes.leavesOpen({ ...refusal, status: 503 })).toBe(true)
    }
  },
)
