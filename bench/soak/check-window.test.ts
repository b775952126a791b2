import { describe, expect, test } from '@jest/globals'
import { violationsOf, type Window } from './check-window.ts'

const wanted = (id: string) => ({ clientOrderId: id, executionId: `of ${id}`, lane: 'lane' })
const end = (id: string, status = 'success', code?: string) => ({ executionId: `of ${id}`, status, code })

const sound: Window = {
  sent: [
    { isAccepted: true, wanted: [wanted('a')] },
    { isAccepted: true, wanted: [wanted('b')] },
    { isAccepted: false, wanted: [wanted('c')] },
  ],
  accepted: ['a', 'b'],
  ends: [end('a'), end('b')],
}

test('a sound window has no violations, whether or not an unaccepted alert was stored', () => {
  expect(violationsOf(sound)).toEqual([])
  expect(violationsOf({ ...sound, accepted: ['a', 'b', 'c'], ends: [...sound.ends, end('c')] })).toEqual([])
})

describe('a violation is', () => {
  test('an order that never arrived', () => {
    expect(violationsOf({ ...sound, accepted: ['a'] })).toEqual([
      'order b never arrived, its execution is a success',
    ])
  })

  test('an order that was accepted twice', () => {
    expect(violationsOf({ ...sound, accepted: ['a', 'a', 'b'] })).toEqual(['order a was accepted twice'])
  })

  test('an order that nobody asked for', () => {
    expect(violationsOf({ ...sound, accepted: ['a', 'b', 'x'] })).toEqual(['nobody asked for order x'])
  })

  test('a later order before an earlier one of its lane', () => {
    expect(violationsOf({ ...sound, accepted: ['b', 'a'] })).toEqual([
      'the orders of lane lane came out of order',
    ])
  })

  test('an accepted alert without an end, or with two', () => {
    expect(violationsOf({ ...sound, ends: [end('a')] })).toEqual(['execution of b has no end'])
    expect(violationsOf({ ...sound, ends: [...sound.ends, end('a')] })).toEqual([
      'execution of a ended twice',
    ])
  })

  test('an accepted order of an execution that failed, unless it was given up as unknown', () => {
    const failed = (code: string): Window => ({ ...sound, ends: [end('a', 'failed', code), end('b')] })
    expect(violationsOf(failed('E510'))).toEqual(['order a was accepted, its execution failed with E510'])
    expect(violationsOf(failed('E602'))).toEqual([])
  })
})

test('an execution that failed owes no order', () => {
  const window: Window = { ...sound, accepted: ['b'], ends: [end('a', 'failed', 'E601'), end('b')] }
  expect(violationsOf(window)).toEqual([])
})

test('a command behind a wait may come at any time', () => {
  const sent = [
    { isAccepted: true, wanted: [wanted('a'), { ...wanted('late'), lane: undefined }] },
    { isAccepted: true, wanted: [wanted('b')] },
  ]
  const ends = [...sound.ends, end('late')]
  expect(violationsOf({ sent, accepted: ['a', 'b', 'late'], ends })).toEqual([])
})
