import { afterEach, beforeEach, expect, jest, test } from '@jest/globals'
import type { ClientOrderId } from '@tripline/proto/id'
import type { OrderPlan, VenueOrder } from '../../domain/order/order.ts'
import type { OrderListener } from './order-updates.ts'
import { withUpdates } from './published-calls.ts'

beforeEach(() => void jest.useFakeTimers())
afterEach(() => void jest.useRealTimers())

const plan: OrderPlan = {
  clientOrderId: 'own' as ClientOrderId,
  symbol: 'BTCUSDT',
  side: 'buy',
  type: 'limit',
  quantity: '0.1',
  price: '60000',
  positionSide: 'both',
  reduceOnly: false,
  sizing: '',
}
const order: VenueOrder = {
  venueOrderId: '1',
  clientOrderId: 'own',
  side: 'buy',
  type: 'limit',
  status: 'open',
  quantity: '0.1',
  filled: '0',
  averagePrice: null,
  price: '60000',
  triggerPrice: null,
  isConditional: false,
  reduceOnly: false,
  fee: null,
  updatedAt: 1,
}

/** Returns the notes of an order that is answered so. */
function noted(answers: 'final' | 'early', answered: Partial<VenueOrder>) {
  const received: string[] = []
  const publisher: OrderListener = {
    onSending: () => received.push('sending'),
    onAnswer: () => received.push('answer'),
    onRefusal: () => received.push('refusal'),
  }
  const { place } = withUpdates(
    {
      place: async (_order, onSent) => {
        onSent()
        return { outcome: 'done', order: { ...order, ...answered } }
      },
      lookUp: async () => ({ outcome: 'absent' }),
      cancel: async () => ({ outcome: 'gone', order: undefined }),
    },
    publisher,
    answers,
    () => undefined,
  )
  return { received, place: async () => await place(plan, () => received.push('sent')) }
}

test('an order counts as on its way from its call, and again from when it went out', async () => {
  const { received, place } = noted('final', {})
  await place()
  expect(received).toEqual(['sending', 'sending', 'sent', 'answer'])
})

test('an order that is answered as open, perhaps too early, counts as on its way for a moment more', async () => {
  const { received, place } = noted('early', {})
  await place()
  expect(received).not.toContain('answer')
  await jest.advanceTimersByTimeAsync(299)
  expect(received).not.toContain('answer')
  await jest.advanceTimersByTimeAsync(1)
  expect(received).toContain('answer')
})

test.each<Partial<VenueOrder>>([
  { filled: '0.05' },
  { status: 'filled', filled: '0.1' },
  { status: 'untriggered' },
])('an answer that reports more than that counts at once: %j', async (answered) => {
  const { received, place } = noted('early', answered)
  await place()
  expect(received).toContain('answer')
})
