import { expect, test } from '@jest/globals'
import { createSilence } from './silence.ts'

/** Claims at these seconds; returns the seconds of two minutes in which nothing is reported. */
function silentSeconds(claims: (second: number) => boolean): number[] {
  let now = 0
  const silence = createSilence(() => now)
  return Array.from({ length: 120 }, (_, second) => second).filter((second) => {
    now = 1000 * second
    if (claims(second)) silence.extend()
    return silence.isKept()
  })
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, index) => from + index)
}

test('it is kept for ten seconds behind a claim', () => {
  expect(silentSeconds(() => false)).toEqual([])
  expect(silentSeconds((second) => second === 5 || second === 60)).toEqual([
    ...range(5, 15),
    ...range(60, 70),
  ])
  expect(silentSeconds((second) => second === 5 || second === 12)).toEqual(range(5, 22))
})

test('one that claims again and again is silent half of the time', () => {
  expect(silentSeconds(() => true)).toEqual([...range(0, 20), ...range(40, 60), ...range(80, 100)])
})
