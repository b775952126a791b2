import { expect, test } from '@jest/globals'
import { accountReading, oneAtATime, spotHoldings } from '../../test/btcusdt.ts'
import { run, start } from '../../test/scripted-run.ts'
import { type Watch, watchOf, withRecord } from './watch.ts'
import { nextForWatch } from './watch-next.ts'
import { observeWatch } from './watch-observe.ts'

const pair = 'oco { limit(sell, 0.1, 62000); stop(sell, 0.1, 58000) }'

/** The watch over a pair whose stop was taken back, and whose other order had no answer at the beginning of time. */
function unanswered(): Watch {
  const readings = [{ outcome: 'read', account: accountReading(spotHoldings) } as const]
  const { kept } = run(start(pair, { market: oneAtATime }), { readings })
  if (kept === undefined) throw new Error('nothing is kept')
  const taken = withRecord(watchOf(kept, oneAtATime, 0, 0), {
    ...kept,
    record: { ...kept.record, turn: 'profit' },
  })
  const step = nextForWatch(taken, 0)
  if (step.do !== 'place') throw new Error(`what is next is ${step.do}`)
  const { clientOrderId } = step.leg.decision.plan
  const placement = { outcome: 'unknown', cause: 'no answer' } as const
  return observeWatch(taken, { of: 'place', clientOrderId, placement }, 0)
}

test('a person is told once of a pair that has no order for long', () => {
  const watch = unanswered()
  expect(nextForWatch(watch, 14_999)).toMatchObject({ do: 'lookUp' })
  const step = nextForWatch(watch, 15_000)
  expect(step).toMatchObject({ do: 'record', told: { isAlarm: true, text: expect.stringContaining('0.1') } })
  if (step.do !== 'record') throw new Error('nothing is told')
  const told = withRecord(watch, { record: step.record, revision: 2 })
  expect(nextForWatch(told, 15_000)).toMatchObject({ do: 'lookUp' })
})
