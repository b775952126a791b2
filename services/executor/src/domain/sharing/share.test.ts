import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { dueTo, excessOf, type Holdings, sharesOf } from './share.ts'

const partitionCount = 64
const allPartitions = Array.from({ length: partitionCount }, (_, partition) => partition)

function holdingsOf(members: readonly string[], holders: readonly (string | undefined)[]): Holdings {
  const holderOf = new Map<number, string>()
  for (const [partition, holder] of holders.entries()) {
    if (holder !== undefined) holderOf.set(partition, holder)
  }
  return { members, holderOf, partitionCount }
}

const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
/** Members, and holders of whom some are no members any more, with partitions that have no holder. */
const anyHoldings = fc
  .record({
    members: fc.uniqueArray(fc.constantFrom(...names), { minLength: 1 }),
    holders: fc.array(fc.option(fc.constantFrom(...names), { nil: undefined }), {
      minLength: partitionCount,
      maxLength: partitionCount,
    }),
  })
  .map(({ members, holders }) => holdingsOf(members, holders))

const freeIn = ({ holderOf }: Holdings): number[] =>
  allPartitions.filter((partition) => !holderOf.has(partition))

describe('shares', () => {
  test('are all of it, and differ by one at most', () => {
    fc.assert(
      fc.property(anyHoldings, (holdings) => {
        const shares = [...sharesOf(holdings).values()].toSorted((one, other) => one - other)
        expect(shares).toHaveLength(holdings.members.length)
        expect(shares.reduce((sum, share) => sum + share, 0)).toBe(partitionCount)
        expect((shares.at(-1) ?? 0) - (shares[0] ?? 0)).toBeLessThanOrEqual(1)
      }),
    )
  })

  test('of a newcomer come from everybody, as few as possible', () => {
    const holdings = holdingsOf(
      ['a', 'b', 'c'],
      allPartitions.map((partition) => (partition < 33 ? 'b' : 'a')),
    )
    expect([...sharesOf(holdings)]).toEqual([
      ['b', 22],
      ['a', 21],
      ['c', 21],
    ])
    expect(['a', 'b', 'c'].map((member) => excessOf(member, holdings))).toEqual([10, 11, 0])
  })

  test('of one who left fall to the others at once, and nobody gives up anything', () => {
    const holdings = holdingsOf(
      ['a', 'b'],
      allPartitions.map((partition) => (['a', 'b', undefined] as const)[partition % 3]),
    )
    const free = freeIn(holdings)
    const due = ['a', 'b'].map((member) => dueTo(member, free, holdings))
    expect(due.map(({ length }) => length)).toEqual([10, 11])
    expect(due.flat().toSorted((one, other) => one - other)).toEqual(free)
    expect(['a', 'b'].map((member) => excessOf(member, holdings))).toEqual([0, 0])
  })
})

test('a free partition falls to one member at most', () => {
  fc.assert(
    fc.property(anyHoldings, (holdings) => {
      const free = freeIn(holdings)
      const due = holdings.members.flatMap((member) => dueTo(member, free, holdings))
      expect(new Set(due).size).toBe(due.length)
      expect(due.every((partition) => free.includes(partition))).toBe(true)
    }),
  )
})

/** One after the other, in any order, members give up what is too much and take what falls to them. */
interface Sharing {
  holders: (string | undefined)[]
  givenUp: number
}

function takeTurn(sharing: Sharing, members: readonly string[], member: string): boolean {
  const holdings = holdingsOf(members, sharing.holders)
  const due = dueTo(member, freeIn(holdings), holdings)
  for (const partition of due) sharing.holders[partition] = member
  const mine = allPartitions.filter((partition) => sharing.holders[partition] === member)
  const excess = excessOf(member, holdings)
  for (const partition of mine.slice(0, excess)) sharing.holders[partition] = undefined
  sharing.givenUp += excess
  return due.length > 0 || excess > 0
}

/** Lets members take turns until none of them has anything to do; each list says in which order. */
function settle(sharing: Sharing, members: readonly string[], order: readonly number[]): void {
  const turns = [...order.map((index) => members[index % members.length] ?? ''), ...members, ...members]
  for (const member of turns) takeTurn(sharing, members, member)
  // Every member had a turn by now to give, and one to take.
  let isQuiet = false
  for (let round = 0; !isQuiet && round < 3; round++) {
    isQuiet = members.map((member) => takeTurn(sharing, members, member)).every((didAct) => !didAct)
  }
  expect(isQuiet).toBe(true)
}

const comings = fc.array(
  fc.record({
    members: fc.uniqueArray(fc.constantFrom(...names), { minLength: 1 }),
    order: fc.array(fc.nat({ max: 6 }), { maxLength: 20 }),
  }),
  { minLength: 1, maxLength: 8 },
)

test('with any members that come and go, every partition is owned at the end, all share alike, and giving up ends', () => {
  fc.assert(
    fc.property(comings, (phases) => {
      const sharing: Sharing = { holders: allPartitions.map(() => undefined), givenUp: 0 }
      for (const { members, order } of phases) {
        sharing.holders = sharing.holders.map((holder) =>
          holder !== undefined && members.includes(holder) ? holder : undefined,
        )
        const before = holdingsOf(members, sharing.holders)
        const tooMuch = members.reduce((sum, member) => sum + excessOf(member, before), 0)
        sharing.givenUp = 0
        settle(sharing, members, order)
        const counts = members.map((member) => sharing.holders.filter((holder) => holder === member).length)
        expect(counts.reduce((sum, count) => sum + count, 0)).toBe(partitionCount)
        expect(counts.every((count) => count <= partitionCount / members.length + 1)).toBe(true)
        expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1)
        // The excess of a member over its share moved, and nothing else.
        expect(sharing.givenUp).toBeLessThanOrEqual(tooMuch)
      }
    }),
    { numRuns: 500 },
  )
})
