import { describe, expect, test } from '@jest/globals'
import { accountReading, flat } from '../../../test/btcusdt.ts'
import { run, start } from '../../../test/scripted-run.ts'
import type { AccountReading, Reading } from '../account/account.ts'
import { absenceRules } from '../order/absence.ts'

const read = (differing: Partial<AccountReading> = flat): Reading => ({
  outcome: 'read',
  account: accountReading(differing),
})

const stepsOf = (text: string, reading: Reading) =>
  run(start(text), { readings: [reading, reading, reading] }).steps

describe('an entry that hangs on the account', () => {
  test('is not sent where a command behind it would be refused', () => {
    const ran = run(start('market(buy, 10%); stop(sell, 100%p, 61000); balance'), { readings: [read()] })
    expect(ran.steps).toEqual(['0 read', '0 settle failed E507', '0 settle skipped', '0 settle skipped'])
    expect(ran.execution.outcomes[0]?.error).toBe(
      'nothing was placed: the stopOrder behind it would be refused, 61000.0 would trigger at once: it must be below the market (60000)',
    )
  })

  test('is sent where nothing behind it would be, or a wait lies before that', () => {
    expect(stepsOf('market(buy, 10%); stop(sell, 100%p, 58000)', read())).toContain('0 place buy 0.016')
    expect(stepsOf('market(buy, 10%); wait(1); stop(sell, 100%p, 61000)', read())).toContain(
      '0 place buy 0.016',
    )
  })

  test('is sent where the size of the order behind it depends on an unread value', () => {
    const little = read({ ...flat, equity: null, available: null })
    expect(stepsOf('limit(buy, 0.01, 59000); limit(buy, 10%b, 70000)', little)[1]).toBe(
      '0 place limit buy 0.010 at 59000.0',
    )
  })

  test('is sent where an earlier owner may have sent it', () => {
    const execution = start('market(buy, 10%); stop(sell, 100%p, 61000)', {
      notAbsentBefore: 0,
      absence: absenceRules.bybit,
    })
    const ran = run(execution, { readings: [read(), read()] })
    expect(ran.steps).toEqual([
      '0 read',
      '0 place buy 0.016',
      '0 settle success',
      '0 read',
      '0 settle failed E507',
    ])
  })
})

describe('an entry of a written size that was not judged before', () => {
  const stepsUnjudged = (text: string, reading: Reading) =>
    run(start(text, { isUnjudged: true }), { readings: [reading, reading, reading] }).steps

  test('is judged on a reading, and not sent where a command behind it would be refused', () => {
    const text = 'market(buy, 0.016); stop(sell, 100%p, 61000)'
    expect(stepsUnjudged(text, read())).toEqual(['0 read', '0 settle failed E507', '0 settle skipped'])
    expect(stepsOf(text, read())[0]).toBe('0 place buy 0.016')
  })

  test('is sent at once where nothing that is judged is behind it', () => {
    expect(stepsUnjudged('market(buy, 0.016); balance', read())[0]).toBe('0 place buy 0.016')
  })

  test('lets an exit before it go at once', () => {
    const text = 'market(sell, 0.01, reduceOnly=true); market(buy, 0.016); stop(sell, 100%p, 61000)'
    expect(stepsUnjudged(text, read()).slice(0, 4)).toEqual([
      '0 place sell 0.010 reduce-only',
      '0 settle success',
      '0 read',
      '0 settle failed E507',
    ])
  })
})

test('an exit is sent, whatever the result of an entry behind it', () => {
  const text = 'market(sell, 50%p); market(buy, 10%); stop(sell, 100%p, 61000)'
  expect(stepsOf(text, read({}))).toEqual([
    '0 read',
    '0 place sell 0.050 reduce-only',
    '0 settle success',
    '0 read',
    '0 settle failed E507',
    '0 settle skipped',
  ])
})
