import { describe, expect, test } from '@jest/globals'
import {
  active,
  done,
  filled,
  found,
  id,
  type Ran,
  results,
  run,
  type Start,
  start,
  unknown,
} from '../../../test/scripted-run.ts'
import type { Reading } from '../account/account.ts'
import type { BotLimits } from '../account/permit.ts'
import { absenceRules } from '../order/absence.ts'
import type { LookUp, OrderPlan, Placement } from '../order/order.ts'
import { mayHaveGoneOn } from './begun-order.ts'

const { bybit, binance_spot, binance_futures_usdt } = absenceRules
const inherited: Start = { notAbsentBefore: 5000, absence: bybit }
const isThere: Placement = { outcome: 'unknown', cause: 'duplicate', isThere: true }
const noFunds: Placement = { outcome: 'refused', code: 'E506', error: 'not enough funds' }
const absent: LookUp = { outcome: 'absent' }

const sent = ({ steps }: Ran): string[] => steps.filter((step) => step.includes('place'))

describe('an order that a former owner may have sent to Bybit', () => {
  test('is sent without a question, and taken now it was not there: nothing behind it was begun', () => {
    const ran = run(start('market(buy, 0.01); market(sell, 0.01)', inherited))
    expect(ran.steps).toEqual([
      '0 place buy 0.010',
      '0 settle success',
      '0 place sell 0.010',
      '0 settle success',
    ])
    expect(ran.execution.notAbsentBefore).toBeUndefined()
  })

  test('is looked up until it is found where the name is taken, and shown as found', () => {
    const order = filled({ quantity: '0.020', filled: '0.020' })
    const lookUps: LookUp[] = [...Array.from({ length: 10 }, () => absent), { outcome: 'found', order }]
    const ran = run(start('market(buy, 0.01)', inherited), { placements: [isThere], lookUps })
    expect(sent(ran)).toHaveLength(1)
    expect(results(ran)).toMatchObject([
      { amount: '0.02', sizing: 'found at the exchange after an interruption' },
    ])
    expect(ran.execution.notAbsentBefore).toBe(5000)
  })

  test('is no failure where it rested and ended, though it was sent again and that had no answer', () => {
    const order = filled({ type: 'limit', price: '59000', status: 'canceled', filled: '0' })
    const ran = run(start('limit(buy, 0.01, 59000)', inherited), {
      placements: [unknown, unknown],
      lookUps: [absent, { outcome: 'found', order }],
    })
    expect([sent(ran).length, ran.steps.at(-1)?.split(' ').slice(1)]).toEqual([2, ['settle', 'success']])
    expect(results(ran)).toMatchObject([{ sizing: 'found at the exchange after an interruption' }])
  })

  test('is never taken for absent where the name is taken', () => {
    const ran = run(start('market(buy, 0.01)', inherited), { placements: [isThere] })
    expect([sent(ran).length, ran.steps.at(-1)]).toEqual([1, '60000 settle failed E602'])
  })

  test('is looked up where another one is refused, which it may have caused itself', () => {
    const ran = run(start('market(buy, 0.01)', inherited), {
      placements: [noFunds],
      lookUps: [absent, found()],
    })
    expect(ran.steps.at(-1)).toBe('1000 settle success')
    const [result] = results(ran)
    expect(result).toMatchObject({ id: '77' })
  })

  test('was refused once it is proven that it was not there', () => {
    const ran = run(start('market(buy, 0.01)', inherited), { placements: [noFunds] })
    expect([sent(ran).length, ran.steps.at(-1)]).toEqual([1, '35000 settle failed E506'])
  })

  test('is looked up where there is nothing to send any more, which may be its own doing', () => {
    const flat: Reading = {
      outcome: 'refused',
      code: 'E406',
      error: 'no permission to read',
    }
    const readings = Array.from({ length: 100 }, () => flat)
    const ran = run(start('market(sell, 100%p)', inherited), { readings, lookUps: [found()] })
    expect([sent(ran).length, ran.steps.at(-1)?.split(' ').slice(1)]).toEqual([0, ['settle', 'success']])
  })

  test.each<[string, Start, BotLimits]>([
    ['too old', { dueAt: -61_000 }, active],
    ['of a bot that is halted', {}, { ...active, tradingState: 'halted' }],
    ['overtaken by an exit', {}, { ...active, isOvertaken: true }],
  ])('is looked up, and not sent, where it is %s', (_name, more, limits) => {
    const ran = run(start('market(buy, 0.01)', { ...inherited, ...more }), { limits, lookUps: [found()] })
    expect([sent(ran).length, ran.steps.at(-1)]).toEqual([0, '0 settle success'])
  })

  test('of a back-up is looked up and never sent', () => {
    const ran = run(start('market(buy, 0.01)', { ...inherited, isRestored: true }))
    expect(sent(ran)).toEqual([])
  })
})

test('an order whose answer is lost is sent again to Bybit, as it was, once a look-up does not show it', () => {
  const orders: OrderPlan[] = []
  const taking = (placement: Placement) => (plan: OrderPlan) => {
    orders.push(plan)
    return placement
  }
  const placements = [taking(unknown), taking(done())]
  const ran = run(start('market(sell, 50%)', { absence: bybit }), { placements })
  expect(ran.steps.slice(-3)).toEqual(['0 lookUp', '150 place sell 0.050 reduce-only', '150 settle success'])
  expect(orders[1]).toEqual(orders[0])
})

test.each(['market(position=0)', 'market(sell, 50%)'])(
  'an exit whose answers are lost is sent to Bybit for as long as its bot has it: %s',
  (text) => {
    const placements = Array.from({ length: 1000 }, () => unknown)
    const ran = run(start(text, { absence: bybit }), { placements })
    expect(ran.steps.filter((step) => step.includes('settle'))).toEqual([])
    expect(sent(ran).length).toBeLessThan(160)
  },
)

test('a market order on spot is not sent again on the strength of reads, and nothing behind it was begun', () => {
  const ran = run(start('market(buy, 0.01)', { ...inherited, absence: binance_spot }))
  expect([sent(ran).length, ran.steps.at(-1)]).toEqual([0, '35000 settle failed E602'])
  expect(mayHaveGoneOn(ran.execution)).toBe(false)
})

test('an order that a former owner may have sent to USDⓈ-M is sent once reads cannot lag behind it any more', () => {
  const ran = run(start('market(buy, 0.01)', { ...inherited, absence: binance_futures_usdt }))
  expect(ran.steps.slice(-2)).toEqual(['25000 place buy 0.010', '25000 settle success'])
})

test('a stream without a gap proves sooner that an order never came', () => {
  const stream = { liveSince: -1000, verifiedUntil: 1_000_000 }
  const lookUps: LookUp[] = Array.from({ length: 20 }, () => ({
    outcome: 'absent',
    depth: 'everywhere',
    stream,
  }))
  const placements = [unknown, done({ clientOrderId: id('00') })]
  const ran = run(start('market(buy, 0.01)', { absence: binance_spot }), { placements, lookUps })
  expect(ran.steps.slice(-2)).toEqual(['19000 place buy 0.010', '19000 settle success'])
})
