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
  expect(read(row).row).toEqual({ ...row, amount: '0.1', reason: '', isDone: false })
})

test('a number is the same text however many zeros were sent', () => {
  const amounts = ['0.010', '0.01', 0.01, '1e-2'].map((amount) => read({ ...row, amount }).row?.amount)
  expect(amounts).toEqual(['0.01', '0.01', '0.01', '0.01'])
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

test('a field that is decided on and cannot be read is noted, and reported by its kind alone', () => {
  const shape = '{"id":"a","amount":"text of 6","at":"number","status":"New"}'
  expect(read({ ...row, amount: 'x91kQ2' })).toEqual({
    row: undefined,
    drifts: [{ ...source, field: 'amount', value: 'text of 6', shape }],
  })
  expect(read({ ...row, amount: '' }).row).toBeUndefined()
  expect(read({ ...row, at: undefined }).drifts).toMatchObject([{ field: 'at', value: 'undefined' }])
})

test('the shape of an answer that was read has no account, key or amount, and is bounded', () => {
  const rows = Array.from({ length: 100 }, () => ({ coin: 'USDT', equity: '12.5', '7f3k9-id': 'Yb61X' }))
  const deep = { a: { b: { c: { d: { e: 'word' } } } } }
  const [drift] = read({ ...row, status: 'Odd', rows, deep, more: Array(50).fill('x'.repeat(99)) }).drifts
  expect(drift?.shape).toBe(
    '{"id":"a","amount":"text of 4","at":"number","status":"Odd",' +
      '"rows":[{"coin":"USDT","equity":"text of 4","name of 8":"text of 5"},' +
      '{"coin":"USDT","equity":"text of 4","name of 8":"text of 5"}],' +
      '"deep":{"a":{"b":{"c":"object"}}},"more":["text of 99","text of 99"]}',
  )
  const wide = Object.fromEntries(Array.from({ length: 500 }, (_, index) => ['k'.repeat(index % 40), 1]))
  expect(read({ ...wide, ...row, status: 'Odd' }).drifts[0]?.shape.length).toBeLessThanOrEqual(1000)
})
