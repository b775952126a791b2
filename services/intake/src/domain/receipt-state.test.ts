import { describe, expect, test } from '@jest/globals'
import type { AlertEnds } from '@tripline/proto/history-request'
import { AlertId, UserId } from '@tripline/proto/id'
import { hasEnded, hasEndedTwice, lostText, stateBy } from './receipt-state.ts'

function endsOf(changes: Partial<AlertEnds>): AlertEnds {
  const userId = UserId.parse('0193f5a0-0000-7000-8000-000000000001')
  const alertId = AlertId.parse('01KAJ000000000000000000001')
  return { userId, alertId, refusal: null, ended: 0, open: 0, contradicted: 0, ...changes }
}

const seconds = 1000

describe('the state of a receipt', () => {
  test.each([
    ['all blocks have an end', { ends: endsOf({ ended: 2 }) }, 'ended'],
    [
      'one block has an end, and the alert runs',
      { ends: endsOf({ ended: 1, open: 1 }), isInStream: true },
      'open',
    ],
    ['one block has an end, and the alert is gone', { ends: endsOf({ ended: 1 }) }, 'lost'],
    ['an execution has no end, and the alert is gone', { ends: endsOf({ ended: 1, open: 1 }) }, 'lost'],
    ['an executor refused it', { ends: endsOf({ refusal: 'E401', ended: 0 }) }, 'ended'],
    ['it could not be confirmed', { ends: endsOf({ refusal: 'not_durable', ended: 0 }) }, 'lost'],
    ['it was reported as lost', { ends: endsOf({ refusal: 'E606', ended: 0 }) }, 'lost'],
    ['nothing is known', {}, 'lost'],
    ['it lies in the stream', { isInStream: true }, 'open'],
    ['it lies there for a minute', { isInStream: true, ageMs: 60 * seconds }, 'waiting'],
    ['it runs for an hour', { isInStream: true, ageMs: 3600 * seconds, ends: endsOf({ open: 1 }) }, 'open'],
    ['it was not confirmed', { isConfirmed: false }, 'open'],
    ['it was not confirmed long ago', { isConfirmed: false, ageMs: 600 * seconds }, 'unstored'],
  ] as const)('where %s', (_, found, state) => {
    const unset = { blocks: 2, isConfirmed: true, ageMs: 15 * seconds, ends: undefined, isInStream: false }
    expect(stateBy({ ...unset, ...found })).toBe(state)
  })
})

test('an alert has ended twice where executions contradict themselves, or it was refused and ran', () => {
  expect(hasEndedTwice(endsOf({ ended: 1 }))).toBe(false)
  expect(hasEndedTwice(endsOf({ ended: 1, contradicted: 1 }))).toBe(true)
  expect(hasEndedTwice(endsOf({ refusal: 'E401', ended: 0 }))).toBe(false)
  expect(hasEndedTwice(endsOf({ refusal: 'E401', ended: 1 }))).toBe(true)
  expect(hasEndedTwice(endsOf({ refusal: 'not_durable', ended: 1 }))).toBe(false)
  expect(hasEndedTwice(endsOf({ refusal: 'E606', ended: 1 }))).toBe(false)
})

test('the text of a lost alert says what is known of it, and no more', () => {
  expect(hasEnded(undefined, 1)).toBe(false)
  expect(lostText(undefined, 1)).toBe(
    'E606 the alert was accepted, and then lost by the storage of alerts. Nothing of it is known to have run. Look at the exchange before sending it again',
  )
  expect(lostText(endsOf({ ended: 1, open: 1 }), 3)).toContain('Of 3 blocks 2 are known to have begun.')
})
