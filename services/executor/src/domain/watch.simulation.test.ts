import { expect, test } from '@jest/globals'
import { simulateWatch } from '../../test/simulation/watch-world.ts'

const runs = 10_000
// Other ones each time; a fault names its own, and is played again by putting that one here.
const firstSeed = Math.floor(Math.random() * 1_000_000_000)

test(`a group of orders ends as it should, whatever is filled, lost or killed (${runs} seeds from ${firstSeed})`, () => {
  for (let seed = firstSeed; seed < firstSeed + runs; seed++) {
    const { faults, diary } = simulateWatch(seed)
    if (faults.length > 0) throw new Error([`seed ${seed}: ${faults.join('; ')}`, ...diary].join('\n'))
  }
})

test.each([
  ['an order is reduced', /is reduced to/],
  ['an order that was reduced is filled', /\d1 has .*filled[\s\S]*records closing/],
  ['a smaller order is refused and the larger stays', /could not be made smaller/],
  ['an order is canceled by hand and the others stay', /not by us/],
  ['a crash comes between two steps of a replacement', /is reduced[^\n]*\n[^\n]*the owner crashes/],
])('it happens that %s', (_name, happening) => {
  const seeds = Array.from({ length: runs }, (_, seed) => seed)
  expect(seeds.some((seed) => happening.test(simulateWatch(seed).diary.join('\n')))).toBe(true)
})
