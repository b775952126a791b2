import { expect, test } from '@jest/globals'
import { isLongRun, seed } from '@tripline/testkit/seed'
import { simulateSale } from '../../../test/simulation/sale-world.ts'

const runs = 5000
const count = isLongRun ? 200_000 : runs

test(`a sale takes orders back and sells once, or they stand again (${count} seeds from ${seed})`, () => {
  for (let drawn = seed; drawn < seed + count; drawn++) {
    const { faults, diary } = simulateSale(drawn)
    if (faults.length > 0) throw new Error([`seed ${drawn}: ${faults.join('; ')}`, ...diary].join('\n'))
  }
}, 3_600_000)

test.each([
  ['the sale is done by a successor', /killed[\s\S]*settles success/],
  ['what was taken back stands again', /stands again/],
  ['a pair by turns is placed again', /is placed again/],
  ['a stop that the market has passed sells at once', /the price passed stop/],
  ['an order fills while it is taken back', /is filled/],
  ['the sale is refused', /settles failed/],
])('it happens that %s', (_name, happening) => {
  const seeds = Array.from({ length: runs }, (_, place) => place)
  expect(seeds.some((one) => happening.test(simulateSale(one).diary.join('\n')))).toBe(true)
})
