import { describe, expect, test } from '@jest/globals'
import { isLongRun, seed } from '@tripline/testkit/seed'
import { type FenceRules, simulateFence, soundFence } from '../../../test/simulation/fence-world.ts'
import { expectationOf } from './epoch.ts'
import { mayClaim } from './lease.ts'

const count = isLongRun ? 50_000 : 200

/** Returns the first fault found among these seeds, if any. */
function firstFault(rules: Partial<FenceRules>, from: number): string | undefined {
  for (let drawn = from; drawn < from + 1000; drawn++) {
    const [fault] = simulateFence(drawn, { ...soundFence, ...rules }).faults
    if (fault !== undefined) return fault
  }
  return undefined
}

describe('a partition whose owners have two witnesses', () => {
  test(`has one owner at most, and one in the end, whatever one witness says or does (${count} seeds from ${seed})`, () => {
    for (let drawn = seed; drawn < seed + count; drawn++) {
      const { faults, diary } = simulateFence(drawn)
      if (faults.length > 0) throw new Error([`seed ${drawn}: ${faults.join('; ')}`, ...diary].join('\n'))
    }
  }, 3_600_000)

  // The seeds from which it shows soon, so that this takes no minutes.
  test.each<[string, number, Partial<FenceRules>]>([
    [
      'rows are claimed without silence',
      20,
      { expectationOf: (seen) => ({ epoch: seen?.epoch ?? 0, renewal: seen?.renewal ?? 0 }) },
    ],
    [
      'leases are claimed without silence',
      20,
      { mayClaim: (seen, at, term) => mayClaim(seen, at + 3000, term) },
    ],
    [
      'a release of any epoch counts',
      140,
      {
        expectationOf: (seen, asked, at, term) =>
          asked.releasedEpoch === undefined
            ? expectationOf(seen, asked, at, term)
            : { epoch: seen?.epoch ?? 0, renewal: undefined },
      },
    ],
  ])('would have faults if %s', (_name, from, rules) => {
    expect(firstFault(rules, from)).toBeDefined()
  })
})
