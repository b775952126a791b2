import { describe, expect, test } from '@jest/globals'
import { found, id, run, type Start, start } from '../../../test/scripted-run.ts'

const restored = (text: string, more: Start = {}) =>
  start(text, { notAbsentBefore: 0, isRestored: true, ...more })
const codes = (ran: ReturnType<typeof run>) =>
  ran.execution.outcomes.map(({ status, errorCode }) => `${status} ${errorCode ?? ''}`.trim())
const asks = ['lookUp', 'recall', 'settle']

describe('an alert that came back with a back-up', () => {
  test('adopts the order that the exchange has', () => {
    const ran = run(restored('market(buy, 0.01)'), { lookUps: [found()] })
    expect(ran.steps).toEqual(['0 lookUp', '0 settle success'])
  })

  test('sends no order that the exchange does not have', () => {
    const ran = run(restored('market(buy, 0.01)'))
    expect(ran.steps.every((step) => asks.some((word) => step.includes(word)))).toBe(true)
    expect(codes(ran)).toEqual(['failed E515'])
  })

  test('finds an order behind a command that left none', () => {
    const absent = Array.from({ length: 4 }, () => ({ outcome: 'absent' }) as const)
    const ran = run(restored('market(position=0); market(buy, 0.01)'), {
      lookUps: [...absent, found({ clientOrderId: id('01') })],
    })
    expect(codes(ran)).toEqual(['failed E515', 'success'])
  })

  test.each([
    'oco { stop(sell, 100%, 58000); limit(sell, 100%, 62000) }',
    'stopOrTakeProfit(amount=100%p, sl=58000, tp=62000)',
  ])('sends no group of which nothing is known: %s', (text) => {
    const ran = run(restored(text))
    expect(ran.steps).toEqual(['0 recall', '0 settle failed E602'])
  })

  test.each(['cancel', 'cancel(session)', 'exchangeSettings(leverage=5)', 'wait(5)'])(
    'does not do again commands that leave no order: %s',
    (text) => expect(run(restored(text)).steps).toEqual(['0 settle failed E515']),
  )

  test('goes on with a wait that is not over, and with the commands behind it', () => {
    const sleep = { wakeAt: 5000, tradingState: 'active' } as const
    const ran = run(restored('wait(5); market(buy, 0.01)', { sleep }))
    expect(codes(ran)).toEqual(['success', 'success'])
    expect(ran.steps.at(-2)).toContain('place buy 0.010')
  })

  test('sends nothing behind a wait that was over before it came back', () => {
    const sleep = { wakeAt: -1, tradingState: 'active' } as const
    expect(codes(run(restored('wait(5); market(buy, 0.01)', { sleep })))).toEqual(['success', 'failed E515'])
  })
})
