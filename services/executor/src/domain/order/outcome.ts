import type { OrderOutcome } from '@tripline/proto/command-result'
import { divide, isZero, multiply, nearestToStep, negate, plain, subtract } from '@tripline/proto/decimal'
import type { Attempt, Decision } from './attempt.ts'
import { restingOrder, type VenueOrder } from './order.ts'

/** The sizing of an order that an earlier owner decided on. */
export const foundAgain = 'found at the exchange after an interruption'

/** An order as its command's result shows it. */
export function orderOutcome(order: VenueOrder, { decision, ref }: Attempt): OrderOutcome {
  const { plan, pricing, warnings = [], reference, referenceKind = 'sized' } = decision ?? {}
  const price = plainOrNone(plan?.price ?? order.price)
  const triggerPrice = plainOrNone(plan?.triggerPrice ?? order.triggerPrice)
  return {
    id: order.venueOrderId,
    client_order_id: order.clientOrderId,
    symbol: ref.symbol,
    side: order.side,
    // A triggered order of another kind is shown as it was asked for.
    type: plan?.type ?? order.type,
    amount: plain(order.quantity),
    price: order.averagePrice ?? price ?? triggerPrice,
    triggerPrice,
    limit_price: price,
    average_price: order.averagePrice,
    filled: order.filled,
    fee: order.fee,
    status: order.status,
    reduce_only: order.reduceOnly,
    sizing: plan?.sizing ?? foundAgain,
    ...(pricing !== undefined && { pricing }),
    ...(warnings.length > 0 && { warnings: [...warnings] }),
    ...(reference !== undefined && {
      reference_price: reference,
      reference_kind: referenceKind,
      slippage_percent: slippage(order, reference),
    }),
  }
}

// A plan has the decimals of its market's step, a venue's answer as many as it likes.
function plainOrNone(price: string | null): string | null {
  return price === null ? null : plain(price)
}

/** By how many percent the fills were worse than the reference; below zero where they were better. */
function slippage({ side, averagePrice }: VenueOrder, reference: string): string | null {
  if (averagePrice === null || isZero(reference)) return null
  const higher = subtract(averagePrice, reference)
  const worse = side === 'buy' ? higher : negate(higher)
  return nearestToStep(divide(multiply(worse, '100'), reference), '0.0001')
}

/** An order as its command's result shows it that is not at the venue until its price is reached. */
export function heldOutcome(decision: Decision): OrderOutcome {
  const { symbol, clientOrderId } = decision.plan
  const ref = { symbol, clientOrderId, isConditional: false }
  return { ...orderOutcome(restingOrder(decision.plan), { ref, decision }), status: 'held' }
}
