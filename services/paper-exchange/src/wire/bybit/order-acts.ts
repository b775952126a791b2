import { positionIn } from '../../domain/account.ts'
import { absolute, smaller } from '../../domain/fixed.ts'
import type { Market } from '../../domain/market.ts'
import { type Amendment, isOpen, type Order, type OrderRequest } from '../../domain/order.ts'
import { marketNamed, tradedCategoryIn } from './category.ts'
import { BybitError } from './errors.ts'
import { choiceIn, type Fields, flagIn, textIn } from './fields.ts'
import { findOrder, passesFilter } from './find-order.ts'
import type { Depth } from './format-market.ts'
import { readOptionalPrice, readOrder, readQuantity, readReattached } from './read-order.ts'
import { refusalError } from './refusals.ts'
import type { SignedCall } from './route.ts'

/** Places the order that the fields ask for, and gives it back. */
export function placeOrder({ exchange, entry, now }: SignedCall, fields: Fields): Order {
  const market = marketNamed(tradedCategoryIn(fields), textIn(fields, 'symbol'))
  const quote = exchange.quotes.of(market.id)
  const read = readOrder(market, fields, quote)
  const request = closesAll(read, fields) ? { ...read, quantity: heldBy(entry.account, market, read) } : read
  if (market.kind === 'spot' && wouldTake(exchange.quotes.depth(market.id), request)) {
    throw refusalError('wouldTake', { market, quote, request })
  }
  const placed = exchange.place(entry, request, now)
  if ('refusal' in placed) throw refusalError(placed.refusal, { market, quote, request })
  return placed.order
}

// Spot refuses what linear takes and ends at once.
function wouldTake(depth: Depth, { side, price, timeInForce, trigger }: OrderRequest): boolean {
  if (timeInForce !== 'postOnly' || trigger) return false
  const best = (side === 'buy' ? depth.asks : depth.bids)[0]
  return best !== undefined && (side === 'buy' ? price >= best.price : price <= best.price)
}

// Zero with both flags means the whole position, up to what one order may hold.
function closesAll(request: OrderRequest, fields: Fields): boolean {
  const isAsked = request.reduceOnly && flagIn(fields, 'closeOnTrigger')
  return isAsked && request.quantity === 0n && request.closePosition !== true
}

function heldBy(
  account: Parameters<typeof positionIn>[0],
  market: Market,
  { positionSide, type }: OrderRequest,
): bigint {
  const held = absolute(positionIn(account, market.id, positionSide).quantity)
  return smaller(held, type === 'market' ? market.maxMarketQuantity : market.maxQuantity)
}

/** Cancels the order that the fields name, and gives it back. */
export function cancelOrder({ exchange, entry, now }: SignedCall, fields: Fields): Order {
  const market = marketNamed(tradedCategoryIn(fields), textIn(fields, 'symbol'))
  const found = findOrder(entry, market, fields)
  const filter = choiceIn(fields, 'orderFilter', ['Order', 'StopOrder', 'tpslOrder'])
  // Only spot looks at the filter, and takes it to be Order where it is left out.
  const isMeant = found && (market.kind === 'linear' || passesFilter(found, filter ?? 'Order'))
  if (!found || !isMeant || !isOpen(found)) throw notThere(exchange, market, 'cancel')
  return exchange.cancel(entry, found, now)
}

/** Changes the order that the fields name, and gives it back. */
export function amendOrder({ exchange, entry, now }: SignedCall, fields: Fields): Order {
  const market = marketNamed(tradedCategoryIn(fields), textIn(fields, 'symbol'))
  const quote = exchange.quotes.of(market.id)
  const found = findOrder(entry, market, fields)
  if (!found || !isOpen(found)) throw notThere(exchange, market, 'replace')
  const amendment = readAmendment(market, fields, found)
  const placed = exchange.amend(entry, found, amendment, now)
  if (!('refusal' in placed)) return placed.order
  const { trigger } = found
  const asked = trigger && { trigger: { ...trigger, price: amendment.triggerPrice ?? trigger.price } }
  throw refusalError(placed.refusal, { market, quote, ...(asked && { request: asked }) })
}

function readAmendment(market: Market, fields: Fields, known: Order): Amendment {
  const quantity = readQuantity(market, fields, 'qty')
  const price = readOptionalPrice(market, fields, 'price')
  const triggerPrice = readOptionalPrice(market, fields, 'triggerPrice')
  const attached = readReattached(market, fields, known.attached)
  if (attached !== undefined && known.filled > 0n) {
    throw new BybitError(110059, 'Not allowed to modify the TP/SL of a partially filled open order')
  }
  return {
    ...(quantity !== undefined && { quantity }),
    ...(price !== undefined && { price }),
    ...(triggerPrice !== undefined && { triggerPrice }),
    ...(attached !== undefined && { attached }),
  }
}

function notThere({ quotes }: SignedCall['exchange'], market: Market, act: 'cancel' | 'replace') {
  const error = refusalError('orderNotOpen', { market, quote: quotes.of(market.id) })
  if (market.kind === 'linear') error.message = `order not exists or too late to ${act}`
  return error
}
