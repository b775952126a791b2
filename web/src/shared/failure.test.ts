import { describe, expect, test } from '@jest/globals'
import { failureList, failureText } from './failure.ts'

const refusedWith = (detail: unknown) => ({ status: 422, data: { detail, code: 'x', request_id: 'r' } })

describe('what a failed call tells', () => {
  test('is the detail of the server as it is', () => {
    expect(failureText(refusedWith('Label is taken'))).toBe('Label is taken')
  })

  test('is the detail as JSON where it is no text', () => {
    expect(failureText(refusedWith([{ field: 'email' }]))).toBe('[{"field":"email"}]')
  })

  test('is the fallback where no server answered', () => {
    expect(failureText({ status: 'FETCH_ERROR', error: 'x' })).toBe('Something went wrong')
    expect(failureText(undefined, 'Invalid credentials')).toBe('Invalid credentials')
  })

  test('joins a list of messages by commas', () => {
    const list = refusedWith([
      { field: 'a', message: 'A is short' },
      { field: 'b', message: 'B is long' },
    ])
    expect(failureList(list)).toBe('A is short, B is long')
    expect(failureList(refusedWith('No'))).toBe('No')
  })
})
