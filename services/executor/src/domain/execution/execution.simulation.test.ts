import { describe, expect, test } from '@jest/globals'
import type { CommandResult } from '@tripline/proto/command-result'
import { isLongRun, seed } from '@tripline/testkit/seed'
import { type Outcome, simulate } from '../../../test/simulation/simulate.ts'
import { type Rules, soundRules } from '../../../test/simulation/world.ts'
import { busClocksMs, maySign, unbegunAfter } from '../sharing/lease.ts'

const runs = 10_000
const count = isLongRun ? 200_000 : runs

const { observe } = soundRules

/** The first run under these rules of which the condition holds; the same one each time. */
function firstRun(rules: Partial<Rules>, holds: (outcome: Outcome) => boolean): Outcome | undefined {
  for (let seed = 1; seed <= runs; seed++) {
    const outcome = simulate(seed, { ...soundRules, ...rules })
    if (holds(outcome)) return outcome
  }
  return undefined
}

describe('with parts that are slow, lost, frozen, cut off or killed', () => {
  test(`an alert is executed once, in order, and its results are reported (${count} seeds from ${seed})`, () => {
    for (let drawn = seed; drawn < seed + count; drawn++) {
      const { faults, diary } = simulate(drawn, soundRules)
      if (faults.length > 0) throw new Error([`seed ${drawn}: ${faults.join('; ')}`, ...diary].join('\n'))
    }
  }, 3_600_000)

  test.each([
    ['an order is found that a dead owner sent', /owner [2-9].*: found/],
    ['an absence is proven and the order sent anew', /looks up 00000: absent[\s\S]*owner [2-9] sends 00000/],
    ['an order comes too late for the receive window', /the venue answers \d+: [^\n]*refused/],
    [
      'an order is found elsewhere that its name does not show',
      /looks up 00000: absent[\s\S]*looks up 00000 everywhere: found/,
    ],
    ['an owner finds its lease gone', /finds its lease gone/],
    [
      'an owner begins at once in the place of one that was killed',
      /(\d+)\d{3} owner 1: kill\n\1\d{3} owner 2 begins/,
    ],
    ['an owner hands over, and nobody is in doubt', /hands over[\s\S]*begins, absence counts from now/],
    [
      'an alert is run as a new one that no former owner can have begun',
      /owner 1 cannot have begun[\s\S]*begins, absence counts from now/,
    ],
    ['a command is given up', /E602/],
    ['a group is undone', /records \d: closing[\s\S]*E604/],
    ['a stop stays where its sibling is refused', /records \d: live[\s\S]*E604/],
    [
      'a profit is taken at once that was reached on the way',
      /sends \d\d11\d: sell[\s\S]*venue answers \d\d11\d: [^\n]*done/,
    ],
    [
      'a leg that was not taken is sent again',
      /answers (\d\d10\d: [^\n:]*): asked too often[\s\S]*answers \1: done/,
    ],
    [
      'a successor completes what its predecessor recorded',
      /owner 1 records 0: placing[\s\S]*owner [2-9] records 0: live/,
    ],
    ['an owner finds that its clocks stood still', /finds its clocks wrong/],
    ['a wait goes on at a successor', /owner [2-9] settles \d: wait success/],
  ])('it happens that %s', (_name, happening) => {
    expect(firstRun({}, ({ diary }) => happening.test(diary.join('\n')))).toBeDefined()
  })
})

describe('an order is seen to be executed twice where', () => {
  const wrongRules: [string, Partial<Rules>][] = [
    [
      'a single absence is believed',
      {
        observe: (execution, observation, now) =>
          observation.of === 'lookUp' && observation.lookUp.outcome === 'absent'
            ? { ...execution, notAbsentBefore: undefined, current: { startedAt: now } }
            : observe(execution, observation, now),
      },
    ],
    [
      'an order is looked for by its name alone, and that is believed',
      {
        next: (...of) => {
          const step = soundRules.next(...of)
          return step.do === 'lookUp' ? { ...step, depth: 'usual' } : step
        },
        observe: (execution, observation, now) =>
          observation.of === 'lookUp' && observation.lookUp.outcome === 'absent'
            ? observe(
                execution,
                { ...observation, lookUp: { outcome: 'absent', depth: execution.absence.lookIn } },
                now,
              )
            : observe(execution, observation, now),
      },
    ],
    [
      'an unknown outcome is sent again without asking',
      {
        observe: (execution, observation, now) =>
          observation.of === 'place' && observation.placement.outcome === 'unknown'
            ? execution
            : observe(execution, observation, now),
      },
    ],
    [
      'an absence counts before the receive window is over',
      {
        observe: (execution, observation, now) => {
          const after = observe(execution, observation, now)
          const { orders } = after.current
          if (observation.of !== 'place' || orders === undefined) return after
          const early = orders.map((attempt) =>
            attempt.doubt ? { ...attempt, doubt: { ...attempt.doubt, arrivedBy: now } } : attempt,
          )
          return { ...after, current: { ...after.current, orders: early } }
        },
      },
    ],
    ['a successor takes everything for live', { notAbsentBefore: () => undefined }],
    [
      'a successor takes for new what was stored while the lease lasted',
      { unbegunAfter: (leaseStoredAt) => leaseStoredAt + busClocksMs },
    ],
    [
      'a successor takes the clocks of the bus for one',
      { unbegunAfter: (leaseStoredAt) => unbegunAfter(leaseStoredAt) - busClocksMs },
    ],
    ['an owner signs after its lease', { maySign: () => true }],
    ['one that only stands still is taken for gone', { provesGone: () => true }],
    [
      'an owner hands over what it has not looked up',
      { mayHandOver: ({ current }) => !current.orders?.some(({ decision }) => decision) },
    ],
    ['an owner sends behind an outcome that only it knows', { isStoredFirst: () => false }],
  ]

  test.each(wrongRules)('%s', (_name, rules) => {
    expect(firstRun(rules, ({ isOrderDouble }) => isOrderDouble)).toBeDefined()
  })
})

test('a caller is seen to get a refusal whose order is sent all the same, where nothing is stored first', () => {
  const rules = {
    isStoredFirst: ({ status, result }: CommandResult) =>
      status === 'success' && result !== null && !('client_order_id' in result),
    isResultStoredFirst: () => false,
  }
  const isUntrue = /command \d+ was reported as failed, and is success/
  expect(firstRun(rules, ({ faults }) => faults.some((fault) => isUntrue.test(fault)))).toBeDefined()
})

describe('a former owner is seen to undo the work of its successor where', () => {
  const wrongRules: [string, Partial<Rules>][] = [
    ['it signs after its lease', { maySign: () => true }],
    [
      'it signs anew after a refusal for its clock',
      { maySign: (tenure, _doubtedAt, seenAt) => maySign(tenure, Number.NEGATIVE_INFINITY, seenAt) },
    ],
  ]

  test.each(wrongRules)('%s', (_name, rules) => {
    expect(firstRun(rules, ({ isTrespassed }) => isTrespassed)).toBeDefined()
  })
})

test('an untrue outcome is seen where an owner stores it after its lease', () => {
  expect(firstRun({ mayStore: () => true }, ({ faults }) => faults.length > 0)).toBeDefined()
})
