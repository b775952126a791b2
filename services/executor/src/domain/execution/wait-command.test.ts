import { describe, expect, test } from '@jest/globals'
import { active, found, id, results, run, start } from '../../../test/scripted-run.ts'
import { type BotLimits, haltedError } from '../account/permit.ts'

describe('a wait', () => {
  test('is written down before it is slept', () => {
    const ran = run(start('wait(10); market(buy, 0.01)'))
    expect(ran.steps).toEqual([
      '0 keepProgress',
      '10000 settle success',
      '10000 place buy 0.010',
      '10000 settle success',
    ])
    expect(results(ran)[0]).toEqual({ duration: 10_000, woke_at: 10_000 })
  })

  test('for which there is no room is refused, and one that was begun goes on', () => {
    const limits: BotLimits = { ...active, waitObjection: 'too many' }
    expect(run(start('wait(10); market(buy, 0.01)'), { limits }).steps).toEqual([
      '0 settle failed E518',
      '0 settle skipped',
    ])
    const sleep = { wakeAt: 7000, tradingState: 'active' } as const
    expect(run(start('wait(10)', { sleep }), { limits }).steps).toEqual(['7000 settle success'])
  })

  test('makes the command behind it due when it is over', () => {
    expect(run(start('wait(5m); market(buy, 0.01)'), { until: 400_000 }).steps.at(-1)).toBe(
      '300000 settle success',
    )
  })

  test('that was begun ends when it was to', () => {
    const sleep = { wakeAt: 7000, tradingState: 'active' } as const
    expect(run(start('wait(10)', { sleep })).steps).toEqual(['7000 settle success'])
  })

  test('that was over while nobody owned it ends at once, and the command behind it is as old as it is late', () => {
    const sleep = { wakeAt: 7000, tradingState: 'active' } as const
    const ran = run(start('wait(10); market(buy, 0.01)', { sleep }), {}, 70_000)
    expect(ran.steps.at(-1)).toBe('70000 settle failed E515')
  })

  test.each([
    ['halted', 'active', haltedError],
    ['reducing', 'active', 'The bot was paused while the alert waited'],
  ] as const)('of a bot that is %s meanwhile ends the rest', (tradingState, _before, error) => {
    const limits = (now: number) => ({
      ...active,
      tradingState: now < 10_000 ? active.tradingState : tradingState,
    })
    const ran = run(start('wait(10); market(buy, 0.01)'), { limits })
    expect(ran.execution.outcomes).toMatchObject([
      { status: 'skipped', errorCode: 'E516', error },
      { status: 'skipped', errorCode: 'E516', error },
    ])
  })

  test('of a bot that only reduced before goes on', () => {
    const limits = { ...active, tradingState: 'reducing' } as const
    expect(run(start('wait(10); market(sell, 0.1)'), { limits }).steps.at(-1)).toBe('10000 settle success')
  })

  test('behind an order that an earlier owner placed is begun', () => {
    const ran = run(start('market(buy, 0.01); wait(1)', { notAbsentBefore: 0 }), {
      lookUps: [found({ clientOrderId: id('00') })],
    })
    expect(ran.steps).toEqual(['0 lookUp', '0 settle success', '0 keepProgress', '1000 settle success'])
  })
})
