import { expect, test } from '@jest/globals'
import { isLongRun, seed } from '@tripline/testkit/seed'
import { simulateWatch } from '../../../test/simulation/watch-world.ts'

const runs = 10_000
const count = isLongRun ? 200_000 : runs

test(`a group of orders ends as it should, whatever is filled, lost or killed (${count} seeds from ${seed})`, () => {
  for (let drawn = seed; drawn < seed + count; drawn++) {
    const { faults, diary } = simulateWatch(drawn)
    if (faults.length > 0) throw new Error([`seed ${drawn}: ${faults.join('; ')}`, ...diary].join('\n'))
  }
}, 3_600_000)

test(`a pair of which the venue has one order at a time is sold once (${count} seeds from ${seed})`, () => {
  for (let drawn = seed; drawn < seed + count; drawn++) {
    const { faults, diary } = simulateWatch(drawn, 'turns')
    if (faults.length > 0) throw new Error([`seed ${drawn}: ${faults.join('; ')}`, ...diary].join('\n'))
  }
}, 3_600_000)

test.each(['group', 'turns'] as const)('a former owner of a %s is seen to act where it may sign', (kind) => {
  const seeds = Array.from({ length: runs }, (_, place) => place)
  const isSeen = (one: number): boolean =>
    simulateWatch(one, kind, () => true).faults.some((fault) => fault.startsWith('a former owner'))
  expect(seeds.some(isSeen)).toBe(true)
})

test('it happens that a former owner is withheld', () => {
  const seeds = Array.from({ length: runs }, (_, place) => place)
  expect(seeds.some((one) => /the former owner is withheld/.test(simulateWatch(one).diary.join('\n')))).toBe(
    true,
  )
})

test.each([
  ['the profit is taken', /limit sell 0.100 is filled/],
  ['part of the profit is taken', /is filled in part/],
  [
    'the stop is filled while it is taken back',
    /records live \n[\s\S]*cancels 00: false[\s\S]*stop sell 0.100 is filled/,
  ],
  ['a crash comes while the stop is taken back', /records live \n[^\n]*the owner (crashes|is cut off)/],
  ['the stop is canceled by hand', /not by its group; limit sell 0.100 is placed instead/],
  ['the position is closed while the stop is taken back', /records live \n[^\n]*the position is closed/],
  ['the stop is refused when it is placed again', /stop sell [^\n]* was refused/],
])('it happens that of a pair %s', (_name, happening) => {
  const seeds = Array.from({ length: runs }, (_, place) => place)
  expect(seeds.some((one) => happening.test(simulateWatch(one, 'turns').diary.join('\n')))).toBe(true)
})

test.each([
  ['an order is reduced', /is reduced to/],
  ['an order that was reduced is filled', /\d1 has .*filled[\s\S]*records closing/],
  ['the position is closed while an order is reduced', /is reduced to[^\n]*\n[^\n]*the position is closed/],
  [
    'a crash comes while the orders of a closed position are canceled',
    /the position is closed[^\n]*\n[^\n]*cancels [^\n]*\n[^\n]*the owner (crashes|is cut off)/,
  ],
  ['a smaller order is refused and the larger stays', /could not be made smaller/],
  ['an order is canceled by hand and the others stay', /not by its group/],
  [
    'a crash comes between two steps of a replacement',
    /is reduced[^\n]*\n[^\n]*the owner (crashes|is cut off)/,
  ],
])('it happens that %s', (_name, happening) => {
  const seeds = Array.from({ length: runs }, (_, place) => place)
  expect(seeds.some((one) => happening.test(simulateWatch(one).diary.join('\n')))).toBe(true)
})
