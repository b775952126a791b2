import { describe, expect, test } from '@jest/globals'
import { btcusdt } from '../../../test/btcusdt.ts'
import { filled, found, run, start, unknown, unreachable } from '../../../test/scripted-run.ts'
import { watchOf } from '../group/watch.ts'
import { nextForWatch } from '../group/watch-next.ts'
import { observeWatch } from '../group/watch-observe.ts'
import { absenceRules } from '../order/absence.ts'
import { isProvenAbsent } from '../order/doubt.ts'
import { amendedOutcome } from './amendment.ts'
import { doubtRecord } from './doubt-record.ts'
import type { Execution } from './state.ts'

/** A command as it is right before it is given up. */
function givenUp(text: string, notAbsentBefore?: number): Execution {
  const lookUps = Array.from({ length: 1000 }, () => unreachable)
  const placements = [unknown]
  const from = start(text, notAbsentBefore === undefined ? {} : { notAbsentBefore })
  return run(from, { lookUps, placements, until: 59_999 }).execution
}

const e602 = {
  command: 'market',
  status: 'failed',
  result: null,
  errorCode: 'E602',
  error: '',
  executionTimeMs: 0,
} as const

function watchOver(text: string) {
  const record = doubtRecord(givenUp(text), e602)
  if (record === undefined) throw new Error('nothing is stored')
  return watchOf({ record, revision: 1 }, { market: btcusdt, absence: absenceRules.paper_futures }, 0, 0)
}

describe('a command that was given up', () => {
  test('is looked up on and on, and its order is reported when it is found', () => {
    const watch = watchOver('market(buy, 0.01)')
    const step = nextForWatch(watch, 0)
    if (step.do !== 'lookUp') throw new Error(step.do)
    const later = observeWatch(watch, { of: 'lookUp', ref: step.ref, lookUp: found(), askedAt: 0 }, 0)
    expect(nextForWatch(later, 0)).toEqual({ do: 'amend' })
    expect(amendedOutcome(later, 'market')).toMatchObject({
      status: 'success',
      result: { id: '77', sizing: '0.01 BTC', filled: '0.010' },
    })
  })

  test('that turns out never to have reached the exchange failed, and that is reported', () => {
    let watch = watchOver('market(buy, 0.01)')
    for (let at = 0; at < 60_000; at += 1000) {
      const step = nextForWatch(watch, at)
      if (step.do === 'amend') break
      if (step.do !== 'lookUp') continue
      watch = observeWatch(
        watch,
        { of: 'lookUp', ref: step.ref, lookUp: { outcome: 'absent' }, askedAt: at },
        at,
      )
    }
    expect(watch.attempts.some(({ doubt }) => doubt !== undefined && !isProvenAbsent(doubt))).toBe(false)
    expect(amendedOutcome(watch, 'market')).toMatchObject({ status: 'failed', errorCode: 'E601' })
  })

  test('is reported once it has ended, where it trades at once', () => {
    const watch = watchOver('market(buy, 0.01)')
    const order = filled({ status: 'open', filled: '0', averagePrice: null })
    const ref = { symbol: 'BTCUSDT', clientOrderId: order.clientOrderId, isConditional: false }
    const open = observeWatch(
      watch,
      { of: 'lookUp', ref, lookUp: { outcome: 'found', order }, askedAt: 0 },
      0,
    )
    expect(nextForWatch(open, 1000)).toMatchObject({ do: 'lookUp' })
  })

  test('of which only the id is known is asked for by that', () => {
    const record = doubtRecord(givenUp('stop(sell, 0.01, 58000)', 0), e602)
    expect(record?.legs).toMatchObject([{ decision: { plan: { type: 'stop' } } }])
  })

  test('keeps the record that it has', () => {
    const text = 'oco { limit(sell, 100%, 62000); stop(sell, 100%, 58000) }'
    expect(doubtRecord(givenUp(text), e602)).toMatchObject({ isUntold: true, legs: [{}, {}] })
  })
})
