import { setImmediate as turnEnds } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { type FlushGate, openFlushGate } from './flush-gate.ts'

let ends: number
let gate: FlushGate
beforeEach(() => {
  ends = 0
  gate = openFlushGate(() => {
    ends++
  })
})

afterEach(async () => await turnEnds())

function spend(ms: number): void {
  const from = performance.now()
  while (performance.now() - from < ms);
}

test('a message that is not urgent waits for the end of its turn', async () => {
  expect([gate.opens(false), gate.opens(false), ends]).toEqual([false, false, 0])
  await turnEnds()
  expect(ends).toBe(1)
})

test('the first urgent one of each turn goes at once, and those behind it together', async () => {
  expect([gate.opens(true), gate.opens(true), gate.opens(true)]).toEqual([true, false, false])
  await turnEnds()
  expect(ends).toBe(1)
  expect([gate.opens(false), gate.opens(true), gate.opens(true)]).toEqual([false, true, false])
})

test('in a long turn nobody waits for its end', async () => {
  expect(gate.opens(false)).toBe(false)
  spend(2)
  expect([gate.opens(false), gate.opens(false)]).toEqual([true, false])
  spend(2)
  expect(gate.opens(false)).toBe(true)
  await turnEnds()
  expect(ends).toBe(1)
})

test('nothing ends where nothing came', async () => {
  await turnEnds()
  gate.opens(true)
  await turnEnds()
  await turnEnds()
  expect(ends).toBe(1)
})
