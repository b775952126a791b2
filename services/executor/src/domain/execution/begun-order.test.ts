import { describe, expect, test } from '@jest/globals'
import type { CommandResult } from '@tripline/proto/command-result'
import { commandsOf } from '../../../test/btcusdt.ts'
import { type LaneRules, simulateLane, soundLaneRules } from '../../../test/simulation/lane-world.ts'
import { mayHaveGoneOn, staysInLane } from './begun-order.ts'

const outcome = (status: CommandResult['status']): CommandResult => ({
  command: 'market',
  status,
  errorCode: null,
  error: null,
  result: null,
  executionTimeMs: 0,
})

describe('behind a block', () => {
  const inDoubt = 5000

  test.each([
    ['whose order is in doubt something may be begun', 'market(buy, 1)', [], inDoubt, true],
    ['whose order never arrived nothing is begun', 'market(buy, 1)', [], undefined, false],
    ['that ended something may be begun', 'market(buy, 1)', ['success'], inDoubt, true],
    ['that failed on its way something may be begun', 'market(buy, 1); cancel', ['failed'], inDoubt, true],
    ['whose cancel is not reported nothing is begun', 'cancel', [], inDoubt, false],
    [
      'whose second order never arrived nothing is begun',
      'market(buy, 1); market(sell, 1)',
      ['success'],
      undefined,
      false,
    ],
    ['whose settings are not reported nothing is begun', 'exchangeSettings(leverage=10)', [], inDoubt, false],
  ] as const)('%s', (_name, text, statuses, notAbsentBefore, expected) => {
    const outcomes = statuses.map(outcome)
    expect(mayHaveGoneOn({ commands: commandsOf(text), outcomes, notAbsentBefore })).toBe(expected)
  })
})

test('a block that waits does not stay in its lane', () => {
  expect(staysInLane(commandsOf('market(buy, 1); wait(3); market(sell, 1)'))).toBe(false)
  expect(staysInLane(commandsOf('market(buy, 1); cancel'))).toBe(true)
})

describe('a lane whose owners are killed', () => {
  const runs = 5000
  const faultIn = (rules: Partial<LaneRules>): string | undefined => {
    for (let seed = 1; seed <= runs; seed++) {
      const { faults, diary } = simulateLane(seed, { ...soundLaneRules, ...rules })
      if (faults.length > 0) return [`seed ${seed}: ${faults.join('; ')}`, ...diary].join('\n')
    }
    return undefined
  }

  test(`has each order once, whoever is killed when (${runs} seeds)`, () => {
    expect(faultIn({})).toBeUndefined()
  })

  test.each<[string, Partial<LaneRules>]>([
    ['a refusal is not stored before what lies behind it begins', { isRefusalStoredFirst: false }],
    ['an exit passes before a successor can know of it', { isOrderBrokenFirst: false }],
    ['an owner of which nobody knows is taken to keep the order', { believesAll: true }],
    ['nothing is looked for behind an order that was found', { mayHaveGoneOn: () => false }],
    ['one that takes over says at once that its order can be believed', { inheritsOrder: () => true }],
  ])('has one twice where %s', (_name, rules) => {
    expect(faultIn(rules)).toMatch(/twice/)
  })

  test('has an entry placed behind the exit that overtook it where that is not stored', () => {
    expect(faultIn({ isOvertakenStored: false })).toMatch(/behind the exit that overtook it/)
  })
})
