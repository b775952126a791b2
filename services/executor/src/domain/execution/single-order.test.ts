import { describe, expect, test } from '@jest/globals'
import { accountReading, btcusdt } from '../../../test/btcusdt.ts'
import { active, done, found, id, placed, results, run, start, unknown } from '../../../test/scripted-run.ts'
import type { OrderPlan, Placement } from '../order/order.ts'

describe('an order for which there is too little money', () => {
  const refused: Placement = { outcome: 'refused', code: 'E506', error: 'The exchange refused: margin' }
  const errorOf = (text: string) =>
    run(start(text), { placements: [refused] }).execution.outcomes.map(({ error }) => error)

  test('says how much it needs and how much is free, where its account was read', () => {
    expect(errorOf('market(buy, 50%b)')).toEqual([
      'The exchange refused: margin (without fees a margin of 4980.0083 / 20 = 249.000415 USDT is needed, 8000 USDT is free)',
    ])
  })

  test('reports the answer of the exchange where its account was not read', () => {
    expect(errorOf('market(buy, 0.01)')).toEqual(['The exchange refused: margin'])
  })
})

describe('an order that rests', () => {
  test('is complete once the exchange has it', () => {
    const ran = run(start('limit(buy, 0.01, 59000)'))
    expect(ran.steps).toEqual(['0 read', '0 place limit buy 0.010 at 59000.0', '0 settle success'])
    expect(results(ran)).toMatchObject([
      { type: 'limit', status: 'open', price: '59000', limit_price: '59000', filled: '0' },
    ])
  })

  test('reports its trigger, and that it only reduces', () => {
    const ran = run(start('stop(sell, 100%, 58000, tag=exit1)'))
    expect(ran.steps[1]).toBe('0 place stop sell 0.100 at 58000.0 reduce-only')
    expect(results(ran)).toMatchObject([
      { type: 'stop', status: 'untriggered', triggerPrice: '58000', price: '58000', reduce_only: true },
    ])
  })

  test('is shown as the kind that was asked for where its trigger made it another one', () => {
    const triggered = (plan: OrderPlan) =>
      done({ clientOrderId: plan.clientOrderId, side: 'sell', type: 'market', status: 'filled' })
    const ran = run(start('stop(sell, 0.01, 58000)'), { placements: [triggered] })
    expect(results(ran)).toMatchObject([{ type: 'stop', status: 'filled' }])
  })

  test.each([
    ['stopOrTakeProfit(amount=100%p, sl=58000)', { stopLoss: { triggerPrice: '58000' }, takeProfit: null }],
    ['stopOrTakeProfit(amount=100%p, tp=62000)', { stopLoss: null, takeProfit: { triggerPrice: '62000' } }],
  ])('is one half of a protection: %s', (text, expected) => {
    expect(results(run(start(text)))).toMatchObject([expected])
  })

  test('is a take profit that the market has reached before, and trades at once', () => {
    const open = (plan: OrderPlan) => placed(plan)
    const filledLate = found({ clientOrderId: id('00'), side: 'sell', type: 'market', status: 'filled' })
    const ran = run(start('sltp(amount=100%p, tp=59000)'), {
      placements: [(plan) => done({ clientOrderId: plan.clientOrderId, status: 'open', filled: '0' })],
      lookUps: [filledLate],
    })
    expect(ran.steps).toEqual([
      '0 read',
      '0 place sell 0.100 reduce-only',
      '200 lookUp',
      '200 settle success',
    ])
    expect(results(ran)).toMatchObject([{ stopLoss: null, takeProfit: { status: 'filled' } }])
    const byLimit = run(start('sltp(amount=100%p, tp=59000, tpType=limit)'), { placements: [open] })
    expect(byLimit.steps.slice(1)).toEqual([
      '0 place limit sell 0.100 at 59000.0 reduce-only',
      '0 settle success',
    ])
  })

  test.each([
    ['sltp(amount=100%p, tp=62000)', 'takeProfit sell 0.100 at 62000.0', 'sell 0.100'],
    [
      'sltp(amount=100%p, tp=62000, tpType=limit)',
      'takeProfitLimit sell 0.100 at 62000.0 at 62000.0',
      'limit sell 0.100 at 62000.0',
    ],
  ])('is a take profit that the market reaches on its way: %s', (text, first, second) => {
    const late: Placement = { outcome: 'refused', code: 'E507', error: 'would trigger' }
    const ran = run(start(text), { placements: [late] })
    expect(ran.steps).toEqual([
      '0 read',
      `0 place ${first} reduce-only`,
      `0 place ${second} reduce-only`,
      '0 settle success',
    ])
    const again = run(start(text), { placements: [late, late] })
    expect(again.steps.slice(3)).toEqual(['0 settle failed E507'])
  })

  test('is refused where its profit would open, or its stop is reached', () => {
    const late: Placement = { outcome: 'refused', code: 'E507', error: 'would trigger' }
    for (const text of ['sltp(sell, 0.01, tp=62000, ro=no)', 'stop(sell, 100%, 58000)'])
      expect(run(start(text), { placements: [late] }).steps.slice(2)).toEqual(['0 settle failed E507'])
  })

  test('that takes at once or never is complete when it ended', () => {
    const open = (plan: OrderPlan) => ({ ...placed(plan) })
    const expired = found({ type: 'limit', status: 'expired', filled: '0' })
    const ran = run(start('limit(buy, 0.01, 60000, tif=ioc)'), { placements: [open], lookUps: [expired] })
    expect(ran.steps.slice(2)).toEqual(['200 lookUp', '200 settle failed E601'])
  })

  test('that the exchange ended at once fails', () => {
    const canceled = (plan: OrderPlan) =>
      done({ clientOrderId: plan.clientOrderId, type: 'limit', status: 'canceled', filled: '0' })
    expect(run(start('limit(buy, 0.01, 59000)'), { placements: [canceled] }).steps.at(-1)).toBe(
      '0 settle failed E601',
    )
  })

  test('is found after a lost answer, by its trigger where it has one', () => {
    const order = found({ clientOrderId: id('00'), type: 'stop', status: 'untriggered', filled: '0' })
    const ran = run(start('stop(sell, 0.01, 58000)'), { placements: [unknown], lookUps: [order] })
    expect(ran.steps.slice(2)).toEqual(['0 lookUp', '0 settle success'])
  })

  test('and ended since an earlier owner left it is no failure', () => {
    const ended = found({ type: 'limit', status: 'canceled', filled: '0' })
    const ran = run(start('limit(buy, 0.01, 59000)', { notAbsentBefore: 3000 }), { lookUps: [ended] })
    expect(ran.steps).toEqual(['0 lookUp', '0 settle success'])
  })

  test('is too late as any entry is, and passes as an exit', () => {
    expect(run(start('limit(buy, 0.01, 59000)'), {}, 60_001).steps.at(-1)).toBe('60001 settle failed E515')
    expect(run(start('stop(sell, 100%, 58000)'), {}, 60_001).steps.at(-1)).toBe('60001 settle success')
  })
})

test('a market order reports how much worse than the market it was filled', () => {
  const ran = run(start('market(buy, 10%)'), { placements: [done({ averagePrice: '60060.1001' })] })
  expect(results(ran)).toMatchObject([{ reference_price: '60000.1', slippage_percent: '0.1000' }])
})

test('a position of hedge mode is addressed by its side', () => {
  const ran = run(start('market(buy, 0.01, positionSide=long)', { market: btcusdt }), {
    limits: { ...active },
  })
  expect(ran.steps).toEqual(['0 read', '0 read', '0 settle failed E405'])
})

describe('a rest that the exchange does not take', () => {
  const tooLittle: Placement = { outcome: 'refused', code: 'E504', error: 'The exchange refused: too little' }

  test('is nothing to close', () => {
    const ran = run(start('market(position=0)'), { placements: [tooLittle] })
    expect(ran.steps.at(-1)).toBe('0 settle success')
    expect(results(ran)).toEqual([
      {
        code: 'N803',
        note: 'what is left is below the least order: The exchange refused: too little',
      },
    ])
  })

  test.each(['market(position=0.05)', 'market(sell, 0.01)', 'limit(position=0, price=61000)'])(
    'is a failure where nothing is closed now: %s',
    (text) => {
      const ran = run(start(text), { placements: [tooLittle] })
      expect(ran.steps.at(-1)).toBe('0 settle failed E504')
    },
  )

  test('is a failure where the exchange refuses it for another reason', () => {
    const placements: Placement[] = [{ outcome: 'refused', code: 'E506', error: 'margin' }]
    expect(run(start('market(position=0)'), { placements }).steps.at(-1)).toBe('0 settle failed E506')
  })
})

test('a rest below a step is read, and nothing is placed', () => {
  const account = accountReading({ position: '0.0004' })
  const ran = run(start('market(position=0)'), { readings: [{ outcome: 'read', account }] })
  expect(ran.steps).toEqual(['0 read', '0 settle success'])
  expect(results(ran)).toMatchObject([{ code: 'N803' }])
})
