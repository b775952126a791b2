import { describe, expect, test } from '@jest/globals'
import { clientOrderIdOf } from '@tripline/proto/client-order-id'
import { active, alertId, filled, found, results, run, start } from '../../../test/scripted-run.ts'
import type { Cancellation, OpenOrders, VenueOrder } from '../order/order.ts'
import { longUnanswered, next, observe } from './execution.ts'

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
    venueOrderId: '777',
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
    ['cancel(order=by-hand)', ['by-hand']],
    ['cancel(order=777)', [mine('exit1')]],
    ['cancel(order=1)', []],
  ])('%s ends the orders it names', (text, ids) => {
    expect(canceledBy(text)).toEqual(ids)
  })

  test('that is withheld is sent again later, the same order first, and nothing is asked meanwhile', () => {
    const ran = run(start('cancel'), {
      lists: [listOf(orders.slice(0, 2)), listOf([])],
      cancellations: [{ outcome: 'heldBack' }, { outcome: 'heldBack' }],
    })
    const steps = ran.steps.map((step) => step.replace(/^\d+ /, ''))
    const first = `cancel ${'by-hand'.slice(28)}`
    const second = `cancel ${mine().slice(28)}`
    expect(steps).toEqual(['list', 'endWatches', ...[first, first, first, second], 'list', 'settle success'])
  })

  test('that is withheld throws away its list, and lists anew', () => {
    const later = filled({ ...open, clientOrderId: 'placed-meanwhile' })
    const ran = run(start('cancel'), {
      lists: [listOf([later]), listOf(orders.slice(0, 1)), listOf([])],
      cancellations: [{ outcome: 'withheld' }],
    })
    expect(ran.steps).toEqual([
      '0 list',
      '0 endWatches',
      `0 cancel ${later.clientOrderId.slice(28)}`,
      '200 list',
      '200 endWatches',
      '200 cancel ',
      '200 list',
      '200 settle success',
    ])
    expect(results(ran)).toMatchObject([{ cancelled: [{ client_order_id: 'by-hand' }] }])
  })

  test('signs by the list that it was decided on', () => {
    const listed = observe(
      observe(start('cancel'), { of: 'list', open: listOf(orders.slice(0, 1)), askedAt: 17 }, 0),
      { of: 'endWatches', count: 0, held: [] },
      0,
    )
    expect(next(listed, active, 0)).toMatchObject({ do: 'cancel', seenAt: 17 })
  })

  test('lists nothing while the lease is not held', () => {
    const waiting = observe(start('cancel'), { of: 'unlisted' }, 0)
    expect(next(waiting, active, 0)).toEqual({ do: 'wait', until: 200 })
    expect(next(waiting, active, 200)).toEqual({ do: 'list' })
  })

  test('ends watches first, and looks again for new ones', () => {
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
    expect(results(run(start('cancel')))).toEqual([
      { code: 'N802', note: 'BTCUSDT has no such open order', cancelled_count: 0 },
    ])
  })

  test('that finds an order filled meanwhile does not count it', () => {
    const gone = { outcome: 'gone', order: filled({ clientOrderId: 'by-hand' }) } as const
    const ran = run(start('cancel(buy)'), { lists: [listOf(orders)], cancellations: [gone] })
    expect(results(ran)).toMatchObject([{ code: 'N802', cancelled_count: 0 }])
  })

  test('counts an order that it ended without an answer, though it was shown open once more', () => {
    const still = found({ ...open, clientOrderId: 'by-hand' })
    const ended = filled({ ...open, clientOrderId: 'by-hand', status: 'canceled' })
    const ran = run(start('cancel(buy)'), {
      lists: [listOf(orders), listOf([])],
      cancellations: [
        { outcome: 'unknown', cause: 'no answer' },
        { outcome: 'gone', order: ended },
      ],
      lookUps: [still],
    })
    expect(results(ran)).toMatchObject([{ cancelled_count: 1 }])
  })

  test('counts both orders of a pair, of which the exchange ends the other by itself', () => {
    const ids = [0, 1].map((leg) => clientOrderIdOf({ alertId, block: 0, command: 9, leg, revision: 0 }))
    const pair = ids.map((clientOrderId) => filled({ ...open, clientOrderId, side: 'sell' }))
    const ended = filled({ ...open, clientOrderId: ids[1] ?? '', status: 'canceled' })
    const canceled = (first: Cancellation) =>
      run(start('cancel(sell)'), {
        lists: [listOf(pair), listOf([])],
        cancellations: [first, { outcome: 'gone', order: ended }],
      })
    expect(results(canceled({ outcome: 'canceled', order: undefined }))).toMatchObject([
      { cancelled_count: 2, cancelled: ids.map((id) => ({ client_order_id: id })) },
    ])
    const before = { outcome: 'gone', order: { ...ended, clientOrderId: ids[0] ?? '' } } as const
    expect(results(canceled(before))).toMatchObject([{ code: 'N802', cancelled_count: 0 }])
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

  test('ends the orders of its block, also where the list does not show them yet', () => {
    const ran = run(start('limit(buy, 0.01, 59000); cancel(session)'))
    expect(results(ran)).toMatchObject([{ type: 'limit' }, { cancelled_count: 1 }])
  })

  test('fails where the open orders cannot be listed', () => {
    const lists = Array.from({ length: 200 }, () => ({ outcome: 'unreachable', cause: 'no answer' }) as const)
    expect(run(start('cancel'), { lists, until: 700_000 }).steps.at(-1)).toBe('603750 settle failed E601')
  })

  test('that the exchange does not answer is tried for ten minutes, or until its bot is halted', () => {
    const unknown = { outcome: 'unknown', cause: 'no answer' } as const
    const nobody = { outcome: 'unreachable', cause: 'no answer' } as const
    const answers = {
      lists: [listOf(orders.slice(0, 1))],
      cancellations: Array.from({ length: 1000 }, () => unknown),
      lookUps: Array.from({ length: 1000 }, () => nobody),
    }
    const { steps, at } = run(start('cancel'), { ...answers, until: 700_000 })
    expect(steps.at(-1)).toMatch(/settle failed E602/)
    expect([at >= 600_000, at < 605_000]).toEqual([true, true])
    const { execution } = run(start('cancel'), {
      lists: [listOf(orders.slice(0, 1))],
      cancellations: Array.from({ length: 1000 }, () => unknown),
      lookUps: Array.from({ length: 1000 }, () => nobody),
      until: 30_000,
    })
    expect(longUnanswered(execution, 30_000)).toBe('the exchange does not end an order')
    const halted = { ...active, tradingState: 'halted' } as const
    expect(next(execution, halted, 40_000)).toMatchObject({ do: 'settle', outcome: { errorCode: 'E516' } })
  })

  test.each([
    [0, 5000],
    [30_000, 30_000],
  ])('of a bot that tries for %i ms is given up after %i ms', (exitRetryMs, triedMs) => {
    const limits = { ...active, exitRetryMs }
    const nobody = { outcome: 'unreachable', cause: 'no answer' } as const
    const unlisted = run(start('cancel'), { lists: Array.from({ length: 200 }, () => nobody), limits })
    expect(unlisted.steps.at(-1)).toMatch(/settle failed E601/)
    const unended = run(start('cancel'), {
      lists: [listOf(orders.slice(0, 1))],
      cancellations: Array.from({ length: 200 }, () => ({ outcome: 'unknown', cause: 'no answer' }) as const),
      lookUps: Array.from({ length: 200 }, () => nobody),
      limits,
    })
    expect(unended.steps.at(-1)).toMatch(/settle failed E602/)
    for (const { at } of [unlisted, unended]) {
      expect([at >= triedMs, at < triedMs + 5000]).toEqual([true, true])
    }
  })

  test('of a bot that only reduces runs, of a halted one it does not', () => {
    const reducing = { ...active, tradingState: 'reducing' } as const
    expect(run(start('cancel'), { limits: reducing }).steps.at(-1)).toBe('0 settle success')
    const halted = { ...active, tradingState: 'halted' } as const
    expect(run(start('cancel'), { limits: halted }).steps).toEqual(['0 settle failed E516'])
  })
})
