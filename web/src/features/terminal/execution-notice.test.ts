import { describe, expect, test } from '@jest/globals'
import { executionNotice } from './execution-notice.ts'

const answered = (body: unknown, httpStatus = 200) =>
  executionNotice({ outcome: 'answered', httpStatus, body, durationMs: 1 })

const commands = (...successes: boolean[]) => [
  { commands: successes.map((success) => ({ command: 'market', success })) },
]

describe('the notice after an execution', () => {
  test.each([
    [commands(true, true), '2/2 command(s) completed'],
    [[...commands(true), ...commands(true, true)], '3/3 command(s) completed'],
    [[], 'Executed successfully'],
    [undefined, 'Executed successfully'],
  ])('counts the commands of %j', (results, description) => {
    expect(answered({ status: 'success', results })).toEqual({
      level: 'success',
      title: 'Webhook executed successfully',
      description,
    })
  })

  const nothing = { code: 'N804', note: 'nothing to close' }
  const uncanceled = { code: 'N802', note: 'no order of BTCUSDT is open', cancelled_count: 0 }
  const placed = { id: '1' }
  const succeeded = (...found: object[]) => [
    {
      ...commands(...found.map(() => true))[0],
      results: found.map((result) => ({ error_code: null, result })),
    },
  ]

  test.each([
    [succeeded(nothing), 'nothing to close. No order was placed.'],
    [succeeded(nothing, nothing), 'nothing to close. No order was placed.'],
    [
      [...succeeded(nothing), ...succeeded(uncanceled)],
      'nothing to close; no order of BTCUSDT is open. No order was placed.',
    ],
  ])('of commands that found nothing to do is no success: %j', (results, description) => {
    expect(answered({ status: 'success', results })).toEqual({
      level: 'remark',
      title: 'Nothing to do',
      description,
    })
  })

  test.each([
    ['did something', succeeded(nothing, placed)],
    [
      'ended orders',
      succeeded({ ...nothing, ended: [{ execution_id: '1-0', command: 0, client_order_ids: ['t'] }] }),
    ],
  ])('of commands of which one %s is a success', (_name, results) => {
    expect(answered({ status: 'success', results })).toMatchObject({ level: 'success' })
  })

  test.each([
    [{ status: 'failed', error: 'E506 not enough balance', message: 'm' }, 'E506 not enough balance'],
    [{}, 'Check response for details'],
    ['plain text', 'Check response for details'],
  ])('of the unsuccessful reply %j shows its reason', (body, description) => {
    expect(answered(body)).toEqual({ level: 'error', title: 'Webhook execution failed', description })
  })

  test('of a partly executed webhook names the done commands before the others', () => {
    const error = 'E503 100000 is above the maximum quantity 120'
    const results = [{ ...commands(true, false)[0], results: [{ error_code: 'E503' }] }]
    expect(answered({ status: 'partial', error, results })).toEqual({
      level: 'warning',
      title: 'Partly executed: 1 of 2 commands done',
      description: 'E503 100,000 is above the maximum quantity 120',
      code: 'E503',
    })
  })

  test.each([
    [{ detail: 'E101 no command block found' }, 'E101 no command block found'],
    [{ detail: 'E503 100000.000 is above 120' }, 'E503 100,000 is above 120'],
    [{ detail: [{ field: 'message' }] }, '[{"field":"message"}]'],
    [{ error: 'unavailable' }, 'unavailable'],
    ['<html>', 'Network or server error'],
  ])('of the refusal %j shows its detail', (body, description) => {
    expect(answered(body, 400)).toEqual({ level: 'error', title: 'Request failed', description })
  })

  test('of a request that nobody answered shows the error', () => {
    const notice = executionNotice({ outcome: 'unanswered', error: 'Failed to fetch', durationMs: 1 })
    expect(notice).toEqual({ level: 'error', title: 'Request failed', description: 'Failed to fetch' })
    expect(executionNotice({ outcome: 'unanswered', error: '', durationMs: 1 }).description).toBe(
      'Network or server error',
    )
  })

  test.each([
    [{ detail: 'E101 no command block found', error_code: 'E101' }, 400],
    [
      { error: 'x', results: [{ commands: [], results: [{ error_code: null }, { error_code: 'E101' }] }] },
      200,
    ],
  ])('of %j names the code that there is help for', (body, httpStatus) => {
    expect(answered(body, httpStatus)).toMatchObject({ level: 'error', code: 'E101' })
  })

  test('of an accepted alert leaves open how it ends', () => {
    expect(answered({ status: 'accepted', results: [] }, 202)).toMatchObject({
      level: 'remark',
      title: 'Webhook accepted',
    })
  })
})
