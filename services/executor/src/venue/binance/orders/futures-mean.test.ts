import { expect, test } from '@jest/globals'
import type { VenueOrder } from '../../../domain/order/order.ts'
import { createCompleting } from './futures-mean.ts'

const answered: VenueOrder = {
  venueOrderId: '1',
  clientOrderId: 'one',
  side: 'buy',
  status: 'canceled',
  quantity: '6',
  filled: '4',
  type: 'limit',
  price: '58000',
  triggerPrice: null,
  averagePrice: null,
  isConditional: false,
  reduceOnly: false,
  fee: null,
  updatedAt: 2,
}
const reportedFill: VenueOrder = {
  ...answered,
  status: 'partially_filled',
  averagePrice: '58000',
  fee: { coin: 'USDT', amount: '1' },
  updatedAt: 1,
}
const mean = async (): Promise<string> => {
  throw new Error('not asked for')
}

test('an order that its answer shows as ended stays ended, where the stream has reported its fills alone', async () => {
  const complete = createCompleting({ awaitFilled: async () => reportedFill }, { mean })
  expect(await complete('BTCUSDT', answered)).toEqual({ ...reportedFill, status: 'canceled', updatedAt: 2 })
})

test.each([
  ['as much filled', '4', '58000'],
  ['less filled than the answer: it is behind', '1', null],
])(
  'an order of which the stream reports nothing has the mean price of a look-up that shows %s',
  async (_name, filled, found) => {
    const complete = createCompleting(
      { awaitFilled: async () => undefined },
      { mean: async (_ref, wanted) => (wanted === filled ? '58000' : null) },
    )
    expect(await complete('BTCUSDT', answered)).toMatchObject({ averagePrice: found })
  },
)

test('an order that was open when it was answered is as the stream reports it since', async () => {
  const complete = createCompleting(
    { awaitFilled: async () => ({ ...reportedFill, status: 'filled' }) },
    { mean },
  )
  expect(await complete('BTCUSDT', { ...answered, status: 'partially_filled' })).toMatchObject({
    status: 'filled',
    averagePrice: '58000',
  })
})
