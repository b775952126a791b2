import { expect, test } from '@jest/globals'
import type { BothClocks } from './lease.ts'
import { usualTerm } from './lease.ts'
import {
  confirm,
  isStanding,
  noteFailure,
  type Reach,
  reachOf,
  type Standing,
  tenureIn,
  unconfirmed,
} from './standing.ts'

const at = (ms: number): BothClocks => ({ monotonic: ms, wall: 1_000_000 + ms })

function confirmed(
  before: Standing,
  witness: 'bus' | 'database',
  sentAt: number,
  database: Reach = 'there',
): Standing {
  return confirm(before, { witness, sentAt: at(sentAt), answeredAt: at(sentAt + 10), database }, usualTerm)
}

const claimed = confirmed(confirmed(unconfirmed, 'database', 0), 'bus', 20)

test.each<[string, Standing, number, Reach, boolean]>([
  ['by its row, while that was renewed', confirmed(claimed, 'database', 1000), 3400, 'there', true],
  [
    'not by its lease alone, while the database can be asked',
    confirmed(claimed, 'bus', 1000),
    2600,
    'there',
    false,
  ],
  ['by its lease alone, while the database is away', confirmed(claimed, 'bus', 1000), 2600, 'away', true],
  ['by nothing that is over', claimed, 2600, 'gone', false],
  ['not by a claim on the bus alone', confirmed(unconfirmed, 'bus', 0), 100, 'there', false],
  ['not by a row alone', confirmed(unconfirmed, 'database', 0), 100, 'there', false],
])('a partition is held %s', (_name, standing, ms, database, isHeld) => {
  expect(isStanding(standing, at(ms), database)).toBe(isHeld)
})

test('behind a gap a partition is held once both say so, and since then', () => {
  const one = confirmed(claimed, 'database', 5000)
  expect(isStanding(one, at(5020), 'there')).toBe(false)
  const both = confirmed(one, 'bus', 5100)
  expect(isStanding(both, at(5120), 'there')).toBe(true)
  expect(tenureIn(both, 7, 'there')).toEqual({ since: 5110, provenAt: 5000, epoch: 7 })
  expect(isStanding(confirmed(one, 'bus', 8000), at(8020), 'there')).toBe(false)
})

test('behind a gap the bus is believed alone where the database is gone for long, and not before', () => {
  expect(isStanding(confirmed(claimed, 'bus', 5000, 'away'), at(5020), 'away')).toBe(false)
  const alone = confirmed(claimed, 'bus', 5000, 'gone')
  expect(isStanding(alone, at(5020), 'gone')).toBe(true)
  expect(tenureIn(alone, 7, 'gone').provenAt).toBe(5000)
})

test('a database is away once attempts have failed for a second, and not where a process stood still between two', () => {
  const first = noteFailure(undefined, 0, 10)
  expect(reachOf(first, 20)).toBe('there')
  expect(reachOf(noteFailure(first, 900, 1000), 1010)).toBe('away')
  const later = [2000, 3000].reduce(
    (failures, ms) => noteFailure(failures, ms - 100, ms),
    noteFailure(first, 900, 1000),
  )
  expect(reachOf(later, 3010)).toBe('gone')
  expect(reachOf(noteFailure(first, 60_000, 60_010), 60_020)).toBe('there')
  expect(reachOf(later, 9000)).toBe('there')
  expect(reachOf(undefined, 0)).toBe('there')
})
