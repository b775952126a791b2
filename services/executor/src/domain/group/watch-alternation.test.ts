import { expect, test } from '@jest/globals'
import { accountReading, oneAtATime, spotHoldings } from '../../../test/btcusdt.ts'
import { run, start } from '../../../test/scripted-run.ts'
import { absenceRules } from '../order/absence.ts'
import { restingOrder } from '../order/order.ts'
import { revised } from '../order/revision.ts'
import { dissolved, type Watch, watchOf, withRecord } from './watch.ts'
import { nextForWatch } from './watch-next.ts'
import { observeWatch } from './watch-observe.ts'

const pair = 'oco { limit(sell, 0.1, 62000); stop(sell, 0.1, 58000) }'

/** The watch over a pair whose stop was taken back, and whose other order had no answer at the beginning of time. */
function unanswered(): Watch {
  const readings = [{ outcome: 'read', account: accountReading(spotHoldings) } as const]
  const { stored } = run(start(pair, { market: oneAtATime }), { readings })
  if (stored === undefined) throw new Error('nothing is stored')
  const taken = withRecord(watchOf(stored, { market: oneAtATime, absence: absenceRules.bybit_spot }, 0, 0), {
    ...stored,
    record: { ...stored.record, turn: 'profit' },
  })
  const step = nextForWatch(taken, 0)
  if (step.do !== 'place') throw new Error(`what is next is ${step.do}`)
  const { clientOrderId } = step.leg.decision.plan
  const placement = { outcome: 'unknown', cause: 'no answer' } as const
  return observeWatch(taken, { of: 'place', clientOrderId, placement }, 0)
}

/** The watch over a pair whose stop rests, and is to be taken back since the other's price is reached. */
function taking(): Watch {
  const readings = [{ outcome: 'read', account: accountReading(spotHoldings) } as const]
  const { stored } = run(start(pair, { market: oneAtATime }), { readings })
  if (stored === undefined) throw new Error('nothing is stored')
  const watch = watchOf(
    { ...stored, record: { ...stored.record, turn: 'taking' } },
    { market: oneAtATime, absence: absenceRules.bybit_spot },
    0,
    0,
  )
  const plan = watch.attempts.flatMap(({ decision }) => decision?.plan ?? [])[0]
  if (plan === undefined) throw new Error('no stop')
  return observeWatch(watch, { of: 'update', order: restingOrder(plan) }, 0)
}

test('a person is notified once of a pair that has no order for long', () => {
  const watch = unanswered()
  expect(nextForWatch(watch, 14_999)).toMatchObject({ do: 'lookUp' })
  const step = nextForWatch(watch, 15_000)
  expect(step).toMatchObject({
    do: 'record',
    notice: { isAlarm: true, text: expect.stringContaining('0.1') },
  })
  if (step.do !== 'record') throw new Error('nothing is reported')
  const observed = withRecord(watch, { record: step.record, revision: 2 })
  expect(nextForWatch(observed, 15_000)).toMatchObject({ do: 'lookUp' })
})

test('a stop that is not there to be taken back, and not shown as filled yet, is asked for before another order is sent', () => {
  const watch = taking()
  const step = nextForWatch(watch, 0)
  if (step.do !== 'cancel') throw new Error(`what is next is ${step.do}`)
  const { ref } = step
  const nothing = { outcome: 'gone', order: undefined } as const
  const missed = observeWatch(watch, { of: 'cancel', ref, cancellation: nothing }, 0)
  expect(nextForWatch(missed, 0)).toEqual({ do: 'wait', until: 200 })
  const asked = observeWatch(missed, { of: 'lookUp', ref, lookUp: { outcome: 'absent' }, askedAt: 200 }, 200)
  expect(nextForWatch(asked, 350)).toMatchObject({ do: 'lookUp' })
  const [stop] = asked.attempts.flatMap(({ found }) => found ?? [])
  if (stop === undefined) throw new Error('no stop')
  const order = { ...stop, status: 'filled', filled: stop.quantity } as const
  const observed = observeWatch(
    asked,
    { of: 'lookUp', ref, lookUp: { outcome: 'found', order }, askedAt: 350 },
    350,
  )
  expect(nextForWatch(observed, 350)).toMatchObject({ do: 'record', record: { state: 'done' } })
})

test('a stop that is not there to be taken back, and proven absent, gives way to the other order', () => {
  let watch = taking()
  let now = 0
  for (;;) {
    const step = nextForWatch(watch, now)
    if (step.do === 'wait') now = step.until
    else if (step.do === 'cancel' || step.do === 'lookUp') {
      const observation =
        step.do === 'cancel'
          ? ({ of: 'cancel', ref: step.ref, cancellation: { outcome: 'gone', order: undefined } } as const)
          : ({
              of: 'lookUp',
              ref: step.ref,
              lookUp: { outcome: 'absent', ...(step.depth && { depth: step.depth }) },
              askedAt: now,
            } as const)
      watch = observeWatch(watch, observation, now)
    } else {
      expect(step).toMatchObject({ do: 'record', record: { turn: 'profit' } })
      expect(now).toBeGreaterThanOrEqual(20_000)
      return
    }
  }
})

test('a stop that is left alone is renewed from the revision that it has, since its earlier names are taken', () => {
  const { stored, ...watch } = taking()
  const [attempt] = watch.attempts
  if (attempt?.decision === undefined) throw new Error('no stop')
  const { plan } = attempt.decision
  const decision = { ...attempt.decision, plan: { ...plan, clientOrderId: revised(plan.clientOrderId, 3) } }
  const alone = dissolved({ stored, attempts: [{ ...attempt, decision }] })
  expect(alone).toMatchObject({ isLone: true, legs: [{ decision, revision: 3 }] })
})
