import { describe, expect, test } from '@jest/globals'
import { failureList, failureOf, failureStatus, failureText, isUnanswered } from './failure.ts'

const refusedWith = (detail: unknown) => ({ status: 422, data: { detail, code: 'x', request_id: 'r' } })

describe('the text of a failed call', () => {
  test('is the detail of the server as it is', () => {
    expect(failureText(refusedWith('Label is taken'))).toBe('Label is taken')
  })

  test('is the detail as JSON where it is no text', () => {
    expect(failureText(refusedWith([{ field: 'email' }]))).toBe('[{"field":"email"}]')
  })

  test('is the fallback where no server answered', () => {
    expect(failureText({ status: 'FETCH_ERROR', error: 'x' })).toBe('Something went wrong')
    expect(failureText(undefined, 'Invalid credentials')).toBe('Invalid credentials')
    expect(isUnanswered({ status: 'FETCH_ERROR', error: 'x' })).toBe(true)
    expect(isUnanswered(refusedWith('No'))).toBe(false)
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

describe('an answer that is no success', () => {
  test('shows its status and the text of the server', async () => {
    const failure = await failureOf(Response.json({ detail: 'Busy' }, { status: 503 }))
    expect([failureStatus(failure), failureText(failure)]).toEqual([503, 'Busy'])
  })

  test('shows its status also where it comes from somebody else', async () => {
    const failure = await failureOf(new Response('<h1>Bad gateway</h1>', { status: 502 }))
    expect([failureStatus(failure), failureText(failure)]).toEqual([502, 'Something went wrong'])
  })

  test('is none where nobody answered', () => {
    expect(failureStatus({ status: 'FETCH_ERROR', error: 'x' })).toBeUndefined()
  })
})
