import { expect, test } from '@jest/globals'
import { isDeadLink, resetFailureText } from './reset-failure.ts'

const refusedWith = (detail: unknown) => ({ status: 400, data: { detail, code: 'x', request_id: 'r' } })

test('a failed reset is explained in the words of the server, or in ours', () => {
  expect(resetFailureText(refusedWith('Too many attempts'))).toBe('Too many attempts')
  expect(resetFailureText(refusedWith([{ field: 'token', message: 'is too long' }]))).toBe(
    'Invalid or expired token',
  )
  expect(resetFailureText({ status: 'FETCH_ERROR', error: 'x' })).toBe('Failed to reset password')
})

test('a link is dead when the words say that it is invalid or expired', () => {
  expect(
    ['Invalid or expired token', 'The link has expired', 'Failed to reset password'].map(isDeadLink),
  ).toEqual([true, true, false])
})
