import { describe, expect, test } from '@jest/globals'
import { clientOrderIdOf } from '@tripline/proto/client-order-id'
import { active, alertId, filled, found, results, run, start } from '../../test/scripted-run.ts'
import type { OpenOrders, VenueOrder } from './order.ts'

const mine = (tag?: string, command = 9): string =>
  clientOrderIdOf({ alertId, block: 0, command, leg: 0, revision: 0, tag })
const open: Partial<VenueOrder> = {
  status: 'open',
  filled: '0',
  averagePrice: null,
  type: 'limit',
  price: '59000',
}
const orders: VenueOrder[] = [
  filled({ ...open, clientOrderId: 'by-hand', side: 'buy' }),
  filled({ ...open, clientOrderId: mine(), side: 'sell' }),
  filled({
    ...open,
    clientOrderId: mine('exit1'),
    side: 'sell',
    type: 'stop',
    isConditional: true,
    status: 'untriggered',
  }),
]
const absent = { outcome: 'absent' } as const
const listOf = (listed: VenueOrder[]): OpenOrders => ({ outcome: 'read', orders: listed })

function canceledBy(text: string): string[] {
  const ran = run(start(text), { lists: [listOf(orders), listOf([])] })
  const [result] = results(ran)
  return result !== null && result !== undefined && 'cancelled' in result
    ? result.cancelled.map(({ client_order_id }) => client_order_id)
    : []
}

describe('a cancel', () => {
  test.each([
    ['cancel', ['by-hand', mine(), mine('exit1')]],
    ['cancel(buy)', ['by-hand']],
    ['cancel(sell)', [mine(), mine('exit1')]],
    ['cancel(limit)', ['by-hand', mine()]],
    ['cancel(stop)', [mine('exit1')]],
    ['cancel(tag=exit1)', [mine('exit1')]],
    ['cancel(session)', [mine(), mine('exit1')]],
  ])('%s ends what it names', (text, ids) => {
    expect(canceledBy(text)).toEqual(ids)
  })

  test('ends watches first, and looks again for what came meanwhile', () => {
    const [first, second] = orders
    const ran = run(start('cancel'), { lists: [first, second].map((order) => listOf(order ? [order] : [])) })
    expect(ran.steps.map((step) => step.slice(2, 9))).toEqual([
      'list',
      'endWatc',
      'cancel ',
      'list',
      'endWatc',
      'cancel ',
      'list',
      'settle ',
    ])
    expect(results(ran)).toMatchObject([{ cancelled_count: 2 }])
  })

  test('with nothing to end is a success', () => {
    expect(results(run(start('cancel')))).toEqual([{ code: 'N802', note: 'BTCUSDT has no such open order' }])
  })

  test('that finds an order filled meanwhile does not count it', () => {
    const gone = { outcome: 'gone', order: filled({ clientOrderId: 'by-hand' }) } as const
    const ran = run(start('cancel(buy)'), { lists: [listOf(orders)], cancellations: [gone] })
    expect(results(ran)).toMatchObject([{ code: 'N802' }])
  })

  test.each([
    ['is shown as filled later', [absent, absent, found({ clientOrderId: 'by-hand' })], '1200'],
    ['is not shown any more', [], '2200'],
  ])(
    'that finds nothing to end asks for an order that %s before it counts as ended',
    (_name, lookUps, at) => {
      const nothing = { outcome: 'gone', order: undefined } as const
      const ran = run(start('cancel(buy)'), {
        lists: [listOf(orders)],
        cancellations: [nothing],
        lookUps: [...lookUps],
      })
      const asked = ran.steps.filter((step) => step.endsWith('lookUp'))
      expect(asked).toEqual(
        ['200 lookUp', '350 lookUp', '1200 lookUp', '2200 lookUp'].slice(0, at === '1200' ? 3 : 4),
      )
      expect(ran.steps.at(-1)).toBe(`${at} settle success`)
      expect(results(ran)).toMatchObject([{ code: 'N802' }])
    },
  )

  test('without an answer asks for the order before it is repeated', () => {
    const still = found({ ...open, clientOrderId: 'by-hand' })
    const ran = run(start('cancel(buy)'), {
      lists: [listOf(orders)],
      cancellations: [{ outcome: 'unknown', cause: 'no answer' }],
      lookUps: [still],
    })
    expect(ran.steps.slice(2, 5).map((step) => step.split(' ')[1])).toEqual(['cancel', 'lookUp', 'cancel'])
    expect(results(ran)).toMatchObject([{ cancelled_count: 1 }])
  })

  test('ends what its block placed, also where the list does not show it yet', () => {
    const ran = run(start('limit(buy, 0.01, 59000); cancel(session)'))
    expect(results(ran)).toMatchObject([{ type: 'limit' }, { cancelled_count: 1 }])
  })

  test('fails where the open orders cannot be listed', () => {
    const lists = Array.from({ length: 100 }, () => ({ outcome: 'unreachable', cause: 'no answer' }) as const)
    expect(run(start('cancel'), { lists }).steps.at(-1)).toBe('15750 settle failed E601')
  })

  test('of a bot that only reduces runs, of a halted one it does not', () => {
    const reducing = { ...active, tradingState: 'reducing' } as const
    expect(run(start('cancel'), { limits: reducing }).steps.at(-1)).toBe('0 settle success')
    const halted = { ...active, tradingState: 'halted' } as const
    expect(run(start('cancel'), { limits: halted }).steps).toEqual(['0 settle failed E516'])
  })
})
