import { describe, expect, test } from '@jest/globals'
import { btcusdt } from '../../../test/btcusdt.ts'
import { filled, start } from '../../../test/scripted-run.ts'
import { loneRecord } from '../execution/lone-record.ts'
import { withCurrent } from '../execution/state.ts'
import { absenceRules } from '../order/absence.ts'
import type { VenueOrder } from '../order/order.ts'
import { watchOf } from './watch.ts'
import { nextForWatch } from './watch-next.ts'
import { observeWatch } from './watch-observe.ts'

const resting = filled({ status: 'open', filled: '0', averagePrice: null })
const ref = { symbol: 'BTCUSDT', clientOrderId: resting.clientOrderId, isConditional: false }

/** The record of a limit order that the exchange reported. */
function recordOf(order: VenueOrder) {
  const begun = start('limit(buy, 0.01, 58000)')
  return loneRecord(withCurrent(begun, { orders: [{ ref, found: order }] }))
}

/** The watch over the resting order after the reports of its stream. */
function watchAfter(...updates: VenueOrder[]) {
  const record = recordOf(resting)
  if (record === undefined) throw new Error('nothing is stored')
  const begun = watchOf(
    { record, revision: 1 },
    { market: btcusdt, absence: absenceRules.paper_futures },
    0,
    0,
  )
  return updates.reduce((watch, order) => observeWatch(watch, { of: 'update', order }, 0), begun)
}

describe('an order that is left resting', () => {
  test('is stored, one that has ended is not', () => {
    expect(recordOf(resting)).toMatchObject({ isLone: true, state: 'live' })
    expect(recordOf({ ...resting, status: 'filled' })).toBeUndefined()
  })

  test('is looked up by itself only when no list showed it', () => {
    expect(nextForWatch(watchAfter(), 0)).toMatchObject({ do: 'wait' })
    expect(nextForWatch(watchAfter(), 10_000)).toEqual({ do: 'lookUp', ref })
    expect(nextForWatch(watchAfter(resting), 10_000)).toEqual({ do: 'rest' })
  })

  test.each(['filled', 'canceled'] as const)('is done with once it is %s, and nobody need look', (status) => {
    const step = nextForWatch(watchAfter(resting, { ...resting, status }), 0)
    expect(step).toMatchObject({ do: 'record', record: { state: 'done' } })
    expect(step).not.toHaveProperty('notice')
  })

  test.each(['expired', 'rejected'] as const)('is looked at by a person once it is %s', (status) => {
    expect(nextForWatch(watchAfter({ ...resting, status }), 0)).toMatchObject({
      do: 'record',
      notice: { isAlarm: true, text: expect.stringContaining(status) },
    })
  })

  test('is looked at by a person where the exchange has forgotten it', () => {
    let watch = watchAfter()
    for (let at = 2000; at < 20_000; at += 1000) {
      const step = nextForWatch(watch, at)
      if (step.do !== 'lookUp') continue
      const lookUp = { outcome: 'absent' } as const
      watch = observeWatch(watch, { of: 'lookUp', ref: step.ref, lookUp, askedAt: at }, at)
    }
    expect(nextForWatch(watch, 20_000)).toMatchObject({ do: 'record', notice: { isAlarm: true } })
  })
})
