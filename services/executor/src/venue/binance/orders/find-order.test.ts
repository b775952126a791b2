import { expect, test } from '@jest/globals'
import type { VenueOrder } from '../../../domain/order/order.ts'
import type { RestClient } from '../../http/rest-client.ts'
import { findElsewhere, type OrderLists } from './find-order.ts'

const ref = { symbol: 'BTCUSDT', clientOrderId: 't1', isConditional: false }
const ours = { clientOrderId: 't1', venueOrderId: '7' } as VenueOrder
const other = { clientOrderId: 'by hand', venueOrderId: '5' } as VenueOrder

const names: Record<string, string> = { openOrders: 'open', allOrders: 'all' }

/** Returns the requests, and the order found, if the lists show this. */
async function found(shown: {
  open?: VenueOrder[]
  all?: VenueOrder[]
  trades?: string[]
  byId?: (venueOrderId: string) => VenueOrder
}): Promise<{ order: VenueOrder | undefined; asked: string[] }> {
  const asked: string[] = []
  const { open = [], all = [], trades = [], byId = () => other } = shown
  const get: RestClient['get'] = async (path, fields) => {
    const orderId = `${fields?.['orderId']}`
    asked.push(path === 'order' ? orderId : path)
    if (path === 'openOrders') return open
    if (path === 'allOrders') return all
    return path === 'order' ? byId(orderId) : trades.map((id) => ({ orderId: id }))
  }
  const lists: OrderLists = { base: '', trades: 'trades', read: (row) => row as VenueOrder }
  const order = await findElsewhere(get, lists, ref, 'read')
  return { order, asked: asked.map((path) => names[path] ?? path) }
}

test('an order is found in the first list that shows it', async () => {
  expect(await found({ open: [other, ours] })).toEqual({ order: ours, asked: ['open'] })
  expect(await found({ all: [other, ours] })).toEqual({ order: ours, asked: ['open', 'all'] })
})

test('an order that only a trade reports is found by the id that the trade names', async () => {
  const byId = (id: string): VenueOrder => (id === '7' ? ours : other)
  const shown = { all: [other], trades: ['5', '6', '7', '7'], byId }
  expect(await found(shown)).toEqual({ order: ours, asked: ['open', 'all', 'trades', '6', '7'] })
})

test('an order is absent only where every list lacks it, and every trade is that of another', async () => {
  expect(await found({ all: [other], trades: ['5', '6'] })).toEqual({
    order: undefined,
    asked: ['open', 'all', 'trades', '6'],
  })
})

test('an order is not absent where a trade is of an order that cannot be found', async () => {
  const byId = (): VenueOrder => {
    throw new Error('no such order')
  }
  await expect(found({ trades: ['7'], byId })).rejects.toThrow('no such order')
})
