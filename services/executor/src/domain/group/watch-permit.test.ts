import { describe, expect, test } from '@jest/globals'
import { accountReading, btcusdt, oneAtATime, spotHoldings } from '../../../test/btcusdt.ts'
import { filled, run, start } from '../../../test/scripted-run.ts'
import { absenceRules } from '../order/absence.ts'
import type { VenueOrder } from '../order/order.ts'
import { type Watch, watchOf } from './watch.ts'
import { observeWatch } from './watch-observe.ts'
import { nextPermitted } from './watch-permit.ts'

/** The watch over orders that all rest, as the venue reported. */
function watchOver(text: string, market = btcusdt): Watch {
  const holdings = market === oneAtATime ? spotHoldings : {}
  const readings = [{ outcome: 'read', account: accountReading(holdings) } as const]
  const { stored } = run(start(text, { market }), { readings })
  if (stored === undefined) throw new Error('nothing is stored')
  const watch = watchOf(stored, { market, absence: absenceRules.paper_futures }, 0, 0)
  return watch.attempts.reduce(
    (observed, { ref }) => after(observed, ref.clientOrderId, { status: 'open' }),
    watch,
  )
}

/** The watch after the venue reported an order. */
function after(watch: Watch, clientOrderId: string, differing: Partial<VenueOrder>): Watch {
  const order = filled({ clientOrderId, filled: '0', averagePrice: null, ...differing })
  return observeWatch(watch, { of: 'update', order }, 0)
}

const idOf = ({ attempts }: Watch, type: string): string =>
  attempts.find(({ decision }) => decision?.plan.type === type)?.ref.clientOrderId ?? ''

describe('of a group whose profit is taken', () => {
  const group = watchOver('oco { limit(sell, 0.1, 62000); stop(sell, 0.1, 58000) }')
  const taken = after(group, idOf(group, 'limit'), { status: 'filled', quantity: '0.1', filled: '0.1' })

  test.each(['active', 'reducing', 'halted'] as const)(
    'the others make way where its bot is %s',
    (tradingState) => {
      const { step, withheld } = nextPermitted(taken, tradingState, 0)
      expect(step).toMatchObject({ do: 'record', record: { state: 'closing' } })
      expect(withheld).toBeUndefined()
    },
  )

  test('the stop is canceled where its bot is halted, since it could open a position', () => {
    const { step } = nextPermitted(taken, 'halted', 0)
    if (step.do !== 'record') throw new Error('nothing is begun')
    const closing = { ...taken, stored: { record: step.record, revision: 2 } }
    expect(nextPermitted(closing, 'halted', 0)).toEqual({
      step: { do: 'cancel', ref: expect.objectContaining({ clientOrderId: idOf(group, 'stop') }) },
    })
  })
})

test('of a group filled in part nothing is made smaller while its bot is halted', () => {
  const group = watchOver('oco { limit(sell, 0.1, 62000); stop(sell, 0.1, 58000) }')
  const part = { status: 'partially_filled', quantity: '0.1', filled: '0.04' } as const
  const watch = after(group, idOf(group, 'limit'), part)
  expect(nextPermitted(watch, 'reducing', 0).step).toMatchObject({ do: 'record' })
  expect(nextPermitted(watch, 'halted', 0)).toMatchObject({
    step: { do: 'rest' },
    withheld: { text: expect.stringContaining('not made smaller') },
  })
})

describe('of a pair by turns whose price is reached', () => {
  const reached = (text: string, price: string): Watch => ({
    ...watchOver(text, oneAtATime),
    quote: { bid: price, ask: price, askedAt: 0 },
  })
  const sale = reached('oco { limit(sell, 0.01, 62000); stop(sell, 0.01, 58000) }', '62001')
  const purchase = reached('oco { limit(buy, 0.01, 58000); stop(buy, 0.01, 62000) }', '57999')

  test('a sale goes on while its bot is paused, a purchase waits', () => {
    expect(nextPermitted(sale, 'reducing', 0)).toMatchObject({ step: { record: { turn: 'taking' } } })
    expect(nextPermitted(purchase, 'active', 0)).toMatchObject({ step: { record: { turn: 'taking' } } })
    expect(nextPermitted(purchase, 'reducing', 0)).toMatchObject({
      step: { do: 'rest' },
      withheld: { isAlarm: false, text: expect.stringMatching(/limit buy 0.01\d* is not sent/) },
    })
  })

  test('the stop stays where its bot is halted', () => {
    expect(nextPermitted(sale, 'halted', 0)).toMatchObject({
      step: { do: 'rest' },
      withheld: { isAlarm: true, text: expect.stringMatching(/limit sell 0.01\d* is not sent/) },
    })
  })
})

test.each(['active', 'reducing', 'halted'] as const)(
  'that an order was canceled by hand is noted where its bot is %s',
  (tradingState) => {
    const group = watchOver('oco { limit(sell, 0.1, 62000); stop(sell, 0.1, 58000) }')
    const gone = after(group, idOf(group, 'limit'), { status: 'canceled' })
    const { step, withheld } = nextPermitted(gone, tradingState, 0)
    expect(step).toMatchObject({ do: 'record', notice: { isAlarm: true } })
    expect(withheld).toBeUndefined()
  },
)
