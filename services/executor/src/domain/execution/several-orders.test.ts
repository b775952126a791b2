import { describe, expect, test } from '@jest/globals'
import { accountReading, btcusdt, oneAtATime, spotHoldings } from '../../../test/btcusdt.ts'
import {
  active,
  done,
  filled,
  found,
  id,
  placed,
  results,
  run,
  start,
  unknown,
  unreachable,
} from '../../../test/scripted-run.ts'
import type { OrderPlan, Placement } from '../order/order.ts'
import { aftermathOf } from './aftermath.ts'
import { longUnanswered } from './execution.ts'
import { withCurrent } from './state.ts'

const both = 'oco { limit(sell, 100%, 62000); stop(sell, 100%, 58000) }'
const stopOf = 'place stop sell 0.100 at 58000.0 reduce-only'
const limitOf = 'place limit sell 0.100 at 62000.0 reduce-only'
const entries = 'oco { limit(buy, 0.01, 59000); stop(buy, 0.01, 61000) }'
const refused: Placement = { outcome: 'refused', code: 'E506', error: 'not enough margin' }
const tooOften: Placement = { outcome: 'refused', code: 'E603', error: 'asked too often' }
const protection = 'stopOrTakeProfit(amount=100%p, sl=58000, tp=62000)'
const take = (plan: OrderPlan): Placement => placed(plan)

describe('a command of several orders', () => {
  test('writes all legs before it sends the first, the protective one', () => {
    const ran = run(start(both))
    expect(ran.steps).toEqual([
      '0 read',
      '0 record placing',
      `0 ${stopOf}`,
      expect.stringContaining(limitOf),
      '0 record live',
      '0 settle success',
    ])
    expect(ran.stored?.record.legs.map(({ decision }) => decision.plan.clientOrderId)).toEqual([
      id('00', '00'),
      id('00', '10'),
    ])
  })

  test('reports its orders and who sees to them', () => {
    expect(results(run(start(both)))).toMatchObject([
      { orders_count: 2, kept_by: 'executor', orders: [{ type: 'stop' }, { type: 'limit' }] },
    ])
    expect(results(run(start('stopOrTakeProfit(amount=100%p, sl=58000, tp=62000)')))).toMatchObject([
      { stopLoss: { price: '58000' }, takeProfit: { price: '62000' } },
    ])
  })

  test('sends the other leg once the first is found, for however long that was neither taken nor seen', () => {
    const more = { isConditional: true, triggerPrice: '58000', filled: '0' }
    const about = { type: 'stop', status: 'untriggered', side: 'sell', quantity: '0.100' } as const
    const stop = found({ clientOrderId: id('00', '00'), ...about, ...more })
    const ran = run(start(protection), {
      placements: [tooOften, unknown, take],
      lookUps: [...Array.from({ length: 14 }, () => unreachable), stop],
      limits: { ...active, exitRetryMs: 10_000 },
    })
    expect(ran.steps.filter((step) => step.includes('place takeProfit'))).toHaveLength(1)
    expect(ran.steps.at(-1)).toContain('settle success')
  })

  test('sends a leg that only shrinks again while the exchange wants no orders', () => {
    const ran = run(start(protection), { placements: [tooOften, take, tooOften, tooOften, take] })
    expect(ran.steps.filter((step) => step.includes(' place '))).toHaveLength(5)
    expect(ran.steps.at(-1)).toBe('3000 settle success')
  })

  test.each([0, 30_000])(
    'gives such a leg up after the %i ms of its bot, and the stop stays',
    (exitRetryMs) => {
      const placements = [take, ...Array.from({ length: 100 }, () => tooOften)]
      const ran = run(start(protection), { placements, limits: { ...active, exitRetryMs }, until: 60_000 })
      expect(ran.steps.at(-1)).toBe(`${exitRetryMs} settle failed E604`)
      expect(ran.stored?.record).toMatchObject({ state: 'live', legs: [{}], incomplete: { code: 'E603' } })
    },
  )

  test('looks at the legs that stand before it sends one again', () => {
    const stop = found({ clientOrderId: id('00', '00'), type: 'stop', quantity: '0.100', filled: '0.100' })
    const ran = run(start(protection), { placements: [take, tooOften], lookUps: [stop] })
    expect(ran.steps.slice(3)).toEqual([
      '0 place takeProfit sell 0.100 at 62000.0 reduce-only',
      '1000 lookUp',
      '1000 record live',
      '1000 settle success',
    ])
  })

  test('raises an alarm for legs that the exchange refuses for long', () => {
    const placements = Array.from({ length: 100 }, () => tooOften)
    const ran = run(start(protection), { placements, until: 16_000 })
    expect(longUnanswered(ran.execution, 14_900)).toBeUndefined()
    expect(longUnanswered(ran.execution, ran.at)).toBe('the exchange takes no orders from us now')
  })

  test('raises an alarm for legs that never arrive', () => {
    const placements = Array.from({ length: 100 }, () => unknown)
    const ran = run(start(protection), { placements, until: 20_000 })
    expect(longUnanswered(ran.execution, ran.at)).toBe('the exchange takes no orders from us now')
  })

  test('gives entries up at once where the exchange wants no orders', () => {
    const ran = run(start(entries), { placements: [tooOften] })
    expect(ran.steps.at(-1)).toBe('0 settle failed E603')
  })

  test('leaves a stop where it stands when a later leg is refused, and says so', () => {
    const ran = run(start(both), { placements: [take, refused] })
    expect(ran.steps.slice(3)).toEqual([
      expect.stringContaining(limitOf),
      '0 record live',
      '0 settle failed E604',
    ])
    expect(ran.execution.outcomes[0]).toMatchObject({
      error: expect.stringMatching(/^not enough margin \(E506\); the rest stays: sell 0.100 untriggered/),
      result: { orders_count: 1, orders: [{ type: 'stop', status: 'untriggered' }] },
    })
    expect(ran.stored?.record).toMatchObject({ state: 'live', legs: [{}], incomplete: { code: 'E506' } })
  })

  test('sends its other legs where one is refused beside a stop that stands', () => {
    const text = 'oco { stop(sell, 100%, 58000); limit(sell, 50%, 62000); limit(sell, 50%, 63000) }'
    const ran = run(start(text), { placements: [take, refused, take] })
    expect(ran.steps.slice(4)).toEqual([
      '0 place limit sell 0.050 at 63000.0 reduce-only',
      '0 record live',
      '0 settle failed E604',
    ])
    expect(ran.stored?.record.legs).toHaveLength(2)
  })

  test('leaves a stop where it stands when no order of a later leg arrives for as long as its bot tries', () => {
    const placements = [take, ...Array.from({ length: 100 }, () => unknown)]
    const ran = run(start(both), { placements, limits: { ...active, exitRetryMs: 90_000 } })
    expect(ran.steps.at(-1)).toMatch(/^9\d{4} settle failed E604/)
    expect(ran.steps.some((step) => step.includes('cancel'))).toBe(false)
    expect(results(ran)).toMatchObject([{ orders: [{ type: 'stop' }] }])
  })

  test('takes a profit at once that the market reaches while its order is on the way', () => {
    const late: Placement = { outcome: 'refused', code: 'E507', error: 'would trigger' }
    const ran = run(start(protection), { placements: [take, late] })
    expect(ran.steps.slice(3)).toEqual([
      '0 place takeProfit sell 0.100 at 62000.0 reduce-only',
      '0 record placing',
      '0 place sell 0.100 reduce-only',
      '0 record live',
      '0 settle success',
    ])
    expect(results(ran)).toMatchObject([
      { stopLoss: { status: 'untriggered' }, takeProfit: { type: 'market', status: 'filled' } },
    ])
  })

  test('takes a profit at once that the market has reached before', () => {
    const readings = [{ outcome: 'read', account: accountReading({ mark: '62500' }) } as const]
    const ran = run(start(protection), { readings })
    expect(ran.steps.slice(2)).toEqual([
      `0 ${stopOf}`,
      '0 place sell 0.100 reduce-only',
      '0 record live',
      '0 settle success',
    ])
  })

  test('undoes entries of which one is refused, and says so', () => {
    const ran = run(start(entries), { placements: [take, refused] })
    expect(ran.steps.slice(3)).toEqual([
      '0 place limit buy 0.010 at 59000.0',
      '0 record closing',
      `0 cancel 0000`,
      '0 settle failed E604',
    ])
    expect(ran.execution.outcomes[0]).toMatchObject({
      error: expect.stringMatching(/not enough margin \(E506\); undone: .*canceled/),
      result: { undone: [{ status: 'canceled' }] },
    })
  })

  test('fails as its first leg does where nothing was placed', () => {
    expect(run(start(both), { placements: [refused] }).steps.slice(3)).toEqual(['0 settle failed E506'])
  })

  test('sends no more where a leg was filled at once', () => {
    const at = (plan: OrderPlan) =>
      done({ clientOrderId: plan.clientOrderId, type: 'stop', quantity: '0.100' })
    const ran = run(start(both), { placements: [at] })
    expect(ran.steps.slice(3)).toEqual(['0 record live', '0 settle success'])
    expect(ran.stored?.record.legs).toHaveLength(1)
  })

  test('asks for each leg whose answer is lost', () => {
    const stop = found({ clientOrderId: id('00', '00'), type: 'stop', status: 'untriggered', filled: '0' })
    const limit = found({ clientOrderId: id('00', '10'), type: 'limit', status: 'open', filled: '0' })
    const ran = run(start(both), { placements: [unknown, unknown], lookUps: [stop, limit] })
    expect(ran.steps.filter((step) => step.includes('lookUp'))).toHaveLength(2)
    expect(ran.steps.at(-1)).toBe('0 settle success')
  })

  test('is given up where a leg stays unknown, and its record stays', () => {
    const lookUps = Array.from({ length: 1000 }, () => unreachable)
    const ran = run(start(both), { placements: [take, unknown], lookUps })
    expect(ran.steps.slice(-2)).toEqual(['60000 record live', '60000 settle failed E602'])
    expect(ran.stored?.record.legs).toHaveLength(2)
  })

  test('keeps trying to undo, and says that it could not', () => {
    const cancellations = Array.from({ length: 1000 }, () => unreachableCancel)
    const stop = found({ clientOrderId: id('00', '00'), type: 'stop', status: 'untriggered', filled: '0' })
    const lookUps = Array.from({ length: 1000 }, () => stop)
    const ran = run(start(entries), { placements: [take, refused], cancellations, lookUps })
    expect(ran.steps.at(-1)).toBe('60200 settle failed E604')
    expect(ran.execution.outcomes[0]?.error).toContain('is not undone yet, and still canceled')
    expect(ran.stored?.record.state).toBe('closing')
  })

  test('that comes too late writes and sends nothing', () => {
    expect(run(start(entries), {}, 60_001).steps).toEqual(['60001 read', '60001 settle failed E515'])
  })
})

const unreachableCancel = { outcome: 'unknown', cause: 'no answer' } as const

describe('a command of several orders that an earlier owner may have run', () => {
  const recovered = start(both, { notAbsentBefore: 3000 })

  test('runs as a live one where nothing was written', () => {
    expect(run(recovered).steps.slice(0, 3)).toEqual(['0 recall', '0 read', '0 record placing'])
  })

  test('is completed where only its first leg was sent', () => {
    const { stored } = run(start(both), { placements: [unknown], until: 0 })
    const stop = found({ clientOrderId: id('00', '00'), type: 'stop', status: 'untriggered', filled: '0' })
    const lookUps = [stop]
    const { steps } = run(recovered, stored ? { stored, lookUps } : { lookUps })
    expect(steps.slice(0, 3)).toEqual(['0 recall', '0 lookUp', '0 lookUp'])
    expect(steps.slice(-3)).toEqual([
      expect.stringContaining(limitOf),
      '3000 record live',
      '3000 settle success',
    ])
    expect(steps.some((step) => step.includes(stopOf))).toBe(false)
  })

  test('goes on with the undoing that was under way', () => {
    const { stored } = run(start(entries), { placements: [take, refused] })
    expect(stored?.record.state).toBe('closing')
    const stop = found({ clientOrderId: id('00', '00'), type: 'stop', status: 'untriggered', filled: '0' })
    const { steps } = run(
      start(entries, { notAbsentBefore: 3000 }),
      stored ? { stored, lookUps: [stop] } : {},
    )
    expect(steps.at(-1)).toBe('3000 settle failed E604')
    expect(steps.some((step) => step.includes('place'))).toBe(false)
    expect(steps.filter((step) => step.includes('cancel'))).toHaveLength(1)
  })

  test('has failed in part where a leg of it was refused before', () => {
    const { stored } = run(start(both), { placements: [take, refused] })
    const stop = found({ clientOrderId: id('00', '00'), type: 'stop', status: 'untriggered', filled: '0' })
    const { steps } = run(recovered, stored ? { stored, lookUps: [stop] } : {})
    expect(steps).toEqual(['0 recall', '0 lookUp', '0 settle failed E604'])
  })

  test('adopts another record where somebody was faster', () => {
    const live = start(both)
    const stored = run(live).stored
    const legs = [
      found({ clientOrderId: id('00', '00'), type: 'stop', status: 'untriggered', filled: '0' }),
      found({ clientOrderId: id('00', '10'), type: 'limit', status: 'open', filled: '0' }),
    ]
    const { steps } = run(live, stored ? { stored, lookUps: legs } : {})
    expect(steps).toEqual([
      '0 read',
      '0 record placing',
      '0 recall',
      '0 lookUp',
      '0 lookUp',
      '0 settle success',
    ])
  })
})

describe('a pair that the exchange keeps', () => {
  const market = { ...btcusdt, features: { ...btcusdt.features, nativeOco: true } }

  test('is sent as one', () => {
    const ran = run(start(both, { market }))
    expect(ran.steps.slice(1)).toEqual([
      '0 record placing',
      expect.stringMatching(/^0 place both stop .*, limit /),
      '0 record live',
      '0 settle success',
    ])
    expect(results(ran)).toMatchObject([{ kept_by: 'venue' }])
  })

  test('is never sent leg by leg', () => {
    const lookUps = [
      found({ clientOrderId: id('00', '00'), status: 'untriggered', filled: '0', type: 'stop' }),
    ]
    const ran = run(start(both, { market }), { pairs: [[unknown, unknown]], lookUps })
    expect(ran.steps.filter((step) => step.includes('place '))).toHaveLength(1)
  })

  test('has to be of one side and size', () => {
    const text = 'oco { limit(sell, 0.05, 62000); stop(sell, 0.1, 58000) }'
    expect(run(start(text, { market })).steps).toEqual(['0 read', '0 settle failed E404'])
  })

  test('that is refused leaves nothing', () => {
    const ran = run(start(both, { market }), { pairs: [[refused, refused]] })
    expect(ran.steps.at(-1)).toBe('0 settle failed E506')
  })
})

describe('a pair of which the venue has one order at a time', () => {
  const pair = 'oco { limit(sell, 0.1, 62000); stop(sell, 0.1, 58000) }'
  const readings = [{ outcome: 'read', account: accountReading(spotHoldings) } as const]
  const startPair = (inherited: Parameters<typeof start>[1] = {}) =>
    start(pair, { market: oneAtATime, ...inherited })

  test('has its stop placed, and reports the other as held', () => {
    const ran = run(startPair(), { readings })
    expect(ran.steps.filter((step) => step.includes('place '))).toEqual([
      '0 place stop sell 0.10000 at 58000.0',
    ])
    expect(ran.stored?.record).toMatchObject({ turn: 'stop', legs: [{}, {}] })
    expect(results(ran)).toMatchObject([{ orders: [{ status: 'untriggered' }, { status: 'held' }] }])
  })

  test('has failed where its stop is refused', () => {
    expect(run(startPair(), { readings, placements: [refused] }).steps.at(-1)).toBe('0 settle failed E506')
  })

  test('stays with its watch where that has taken the stop back meanwhile', () => {
    const { stored } = run(startPair(), { readings })
    if (stored === undefined) throw new Error('nothing is stored')
    const taken = { ...stored, record: { ...stored.record, turn: 'profit' as const } }
    const recovered = run(startPair({ notAbsentBefore: 0 }), { stored: taken })
    expect(recovered.execution.outcomes).toMatchObject([{ status: 'success' }])
    expect(aftermathOf(withCurrent(recovered.execution, { stored: taken }))).toBe('watch')
  })
})

test('an order that ended unfilled while its command was placed is no leg', () => {
  const gone = (plan: OrderPlan): Placement => ({
    outcome: 'done',
    order: filled({ clientOrderId: plan.clientOrderId, type: 'stop', status: 'expired', filled: '0' }),
  })
  expect(run(start(both), { placements: [gone] }).steps.at(-1)).toBe('0 settle failed E604')
})
