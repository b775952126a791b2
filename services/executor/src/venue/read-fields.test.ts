import { expect, test } from '@jest/globals'
import { z } from 'zod'
import { type Drift, onDrift } from './drift.ts'
import { Decimal, Flag, readFrom, spare, Text, Whole, wordOf } from './read-fields.ts'

const source = { venue: 'bybit-linear', call: 'order.realtime' } as const

const Row = z.object({
  id: Text,
  amount: Decimal,
  at: Whole,
  status: wordOf('status', new Set(['New', ''])),
  reason: spare('reason', Text, ''),
  isDone: spare('isDone', Flag, false),
})
const row = { id: 'a', amount: '0.10', at: 5, status: 'New' }

function read(value: unknown) {
  const drifts: Drift[] = []
  const stop = onDrift((drift) => drifts.push(drift))
  try {
    return { row: readFrom(source, Row, value), drifts }
  } catch {
    return { row: undefined, drifts }
  } finally {
    stop()
  }
}

test('numbers are read in texts and texts in numbers', () => {
  const odd = { id: 12, amount: 1e-7, at: '1764000000123', status: 'New', reason: 4, isDone: 'true' }
  expect(read(odd)).toEqual({
    row: { id: '12', amount: '0.0000001', at: 1764000000123, status: 'New', reason: '4', isDone: true },
    drifts: [],
  })
  expect(read(row).row).toEqual({ ...row, reason: '', isDone: false })
})

test('a word that is not in the list stays and is noted', () => {
  expect(read({ ...row, status: 'NewAdl' })).toMatchObject({
    row: { status: 'NewAdl' },
    drifts: [{ ...source, field: 'status', value: 'NewAdl' }],
  })
})

test('a spare field that cannot be read is passed over and noted by its kind', () => {
  expect(read({ ...row, reason: { secret: 'k3y' }, isDone: null })).toMatchObject({
    row: { reason: '', isDone: false },
    drifts: [{ field: 'reason', value: 'object' }],
  })
})

test('a field that is decided on and cannot be read is noted, and told by its kind alone', () => {
  expect(read({ ...row, amount: 'x91kQ2' })).toEqual({
    row: undefined,
    drifts: [{ ...source, field: 'amount', value: 'text of 6' }],
  })
  expect(read({ ...row, amount: '' }).row).toBeUndefined()
  expect(read({ ...row, at: undefined }).drifts).toEqual([{ ...source, field: 'at', value: 'undefined' }])
})
