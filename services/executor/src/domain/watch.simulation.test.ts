import { expect, test } from '@jest/globals'
import { isLongRun, seed } from '@tripline/testkit/seed'
import { simulateWatch } from '../../test/simulation/watch-world.ts'

const runs = 10_000
const count = isLongRun ? 200_000 : runs

test(`a group of orders ends as it should, whatever is filled, lost or killed (${count} seeds from ${seed})`, () => {
  for (let drawn = seed; drawn < seed + count; drawn++) {
    const { faults, diary } = simulateWatch(drawn)
    if (faults.length > 0) throw new Error([`seed ${drawn}: ${faults.join('; ')}`, ...diary].join('\n'))
  }
}, 3_600_000)

test.each([
  ['an order is reduced', /is reduced to/],
  ['an order that was reduced is filled', /\d1 has .*filled[\s\S]*records closing/],
  ['a smaller order is refused and the larger stays', /could not be made smaller/],
  ['an order is canceled by hand and the others stay', /not by us/],
  ['a crash comes between two steps of a replacement', /is reduced[^\n]*\n[^\n]*the owner crashes/],
])('it happens that %s', (_name, happening) => {
  const seeds = Array.from({ length: runs }, (_, place) => place)
  expect(seeds.some((one) => happening.test(simulateWatch(one).diary.join('\n')))).toBe(true)
})
