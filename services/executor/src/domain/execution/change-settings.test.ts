import { describe, expect, test } from '@jest/globals'
import { active, results, run, start } from '../../../test/scripted-run.ts'

describe('a change of settings', () => {
  test('names the settings that were changed, and those that were left alone', () => {
    const ran = run(start('exchangeSettings(leverage=10)'))
    expect(results(ran)).toEqual([
      {
        changed: true,
        leverage: '10',
        margin_mode: null,
        position_mode: null,
        note: 'changed; the margin mode was left alone',
      },
    ])
  })

  test('that changes nothing is a success and says so', () => {
    const changes = [{ outcome: 'unchanged', note: 'leverage is 10 already' } as const]
    expect(results(run(start('exchangeSettings(leverage=10, marginMode=cross)'), { changes }))).toMatchObject(
      [{ changed: false, note: 'leverage is 10 already', margin_mode: 'cross' }],
    )
  })

  test('is asked for again where there is no answer, and given up in the end', () => {
    const unknown = { outcome: 'unknown', cause: 'no answer' } as const
    expect(run(start('exchangeSettings(leverage=10)'), { changes: [unknown] }).steps).toEqual([
      '0 change',
      '1000 change',
      '1000 settle success',
    ])
    const changes = Array.from({ length: 100 }, () => unknown)
    expect(run(start('exchangeSettings(leverage=10)'), { changes }).steps.at(-1)).toBe(
      '9000 settle failed E602',
    )
  })

  test('that is refused fails with the reason', () => {
    const changes = [{ outcome: 'refused', code: 'E405', error: 'there is a position' } as const]
    expect(run(start('exchangeSettings(positionMode=hedge)'), { changes }).steps.at(-1)).toBe(
      '0 settle failed E405',
    )
  })

  test('that is withheld is tried again for as long as it is', () => {
    const changes = Array.from({ length: 20 }, () => ({ outcome: 'withheld' }) as const)
    expect(run(start('exchangeSettings(leverage=10)'), { changes }).steps.slice(-2)).toEqual([
      '4000 change',
      '4000 settle success',
    ])
  })

  test('waits until one that an earlier owner sent can no longer arrive', () => {
    const inherited = { ...start('exchangeSettings(leverage=10)'), notAbsentBefore: 4500 }
    expect(run(inherited).steps).toEqual(['4500 change', '4500 settle success'])
  })

  test('is not asked for a halted bot', () => {
    const limits = { ...active, tradingState: 'halted' } as const
    expect(run(start('exchangeSettings(leverage=10)'), { limits }).steps).toEqual(['0 settle failed E516'])
  })
})
