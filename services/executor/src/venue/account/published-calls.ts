import { isZero } from '@tripline/proto/decimal'
import type { LookUp, OrderPlan, OrderRef, Placement } from '../../domain/order/order.ts'
import type { Venue } from '../venue.ts'
import type { OrderListener } from './order-updates.ts'

/** The calls for single orders. */
export type OrderCalls = Pick<Venue, 'place' | 'lookUp' | 'cancel'>

/**
 * A venue's answer to an order: its state after the fills it could get, or perhaps only that it is open, before the
 * report of fills that it gets at once.
 */
export type Answers = 'final' | 'early'

/** The same calls, of which it is noted what they say of orders, and when they changed something. */
export function withUpdates(
  { place, lookUp, cancel }: OrderCalls,
  publisher: OrderListener,
  answers: Answers,
  changed: () => void,
): OrderCalls {
  return {
    place: async (order, onSent, isPermitted) => {
      const noteSending = (): void => publisher.onSending(order)
      noteSending()
      // It may have waited for its turn.
      const placement = await place(order, andThen(noteSending, onSent), isPermitted)
      changed()
      if (answers === 'early' && restsUnmet(placement))
        setTimeout(() => publishPlacement(order, placement, publisher), metWithinMs).unref()
      else publishPlacement(order, placement, publisher)
      return placement
    },
    lookUp: async (ref, depth) => publishFound(ref, await lookUp(ref, depth), publisher),
    cancel: async (ref, seenAt) => {
      const cancellation = await cancel(ref, seenAt)
      changed()
      const order = 'order' in cancellation ? cancellation.order : undefined
      if (order !== undefined) publisher.onAnswer(ref.symbol, order)
      return cancellation
    },
  }
}

function andThen(first: () => void, second: () => void): () => void {
  return () => {
    first()
    second()
  }
}

// Executions follow the order that met them by some ms.
const metWithinMs = 300

function restsUnmet(placement: Placement): boolean {
  if (placement.outcome !== 'done') return false
  const { status, filled } = placement.order
  return status === 'open' && isZero(filled)
}

function publishPlacement(
  { clientOrderId, symbol }: OrderPlan,
  placement: Placement,
  publisher: OrderListener,
): void {
  if (placement.outcome === 'done') publisher.onAnswer(symbol, placement.order)
  else if (placement.outcome !== 'unknown') publisher.onRefusal(clientOrderId)
}

/** Notes what was found of an order, and answers it. */
export function publishFound({ symbol }: OrderRef, found: LookUp, publisher: OrderListener): LookUp {
  if (found.outcome === 'found') publisher.onAnswer(symbol, found.order)
  return found
}

type PlaceOco = NonNullable<Venue['placeOco']>

/** The same placing of pairs, of which it is noted what it says of both orders, and when. */
export function withPairUpdates(placeOco: PlaceOco, publisher: OrderListener, changed: () => void): PlaceOco {
  return async (pair, onSent, isPermitted) => {
    for (const order of pair) publisher.onSending(order)
    const placements = await placeOco(pair, onSent, isPermitted)
    changed()
    publishPlacement(pair[0], placements[0], publisher)
    publishPlacement(pair[1], placements[1], publisher)
    return placements
  }
}
