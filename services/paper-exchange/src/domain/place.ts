import {
  type Account,
  DEFAULT_LEVERAGE,
  MAKER_FEE,
  positionIn,
  type Settled,
  settle,
  TAKER_FEE,
} from './account.ts'
import { failedFilter, MAX_OPEN_ORDERS, type Refusal } from './filter.ts'
import { absolute, smaller } from './fixed.ts'
import { accountMargin, type QuoteOf } from './margin.ts'
import { type Market, maxValueAt, valueAtMark } from './market.ts'
import { type Order, type OrderRequest, signed } from './order.ts'
import type { Quote } from './quote.ts'

/** What an account has at the moment an order reaches the book. */
export type Book = Readonly<{
  account: Account
  openOrders: readonly Order[]
  market: Market
  quoteOf: QuoteOf
}>

/** An execution of the whole quantity at one price. */
export type Execution = Settled & Readonly<{ price: bigint; quantity: bigint; maker: boolean }>

/** What becomes of an order on arrival. */
export type Placement =
  | Readonly<{ outcome: 'refused'; reason: Refusal }>
  | Readonly<{ outcome: 'filled'; quantity: bigint; execution: Execution }>
  | Readonly<{ outcome: 'resting' | 'expired'; quantity: bigint }>

const refused = (reason: Refusal): Placement => ({ outcome: 'refused', reason })

/** Decides what becomes of an order. Pure: the same book and request give the same placement. */
export function placeOrder(book: Book, request: OrderRequest, now: number): Placement {
  const { market, openOrders } = book
  const quote = book.quoteOf(market.symbol)
  const failed = failedFilter(market, request, quote)
  if (failed) return refused(failed)
  // The venue remembers a client order id only while its order is open: a filled one may be used again.
  if (openOrders.some((order) => order.clientOrderId === request.clientOrderId))
    return refused('clientOrderIdOpen')
  const quantity = request.reduceOnly ? reducible(book, request) : request.quantity
  if (quantity === 0n) return refused('reduceOnlyRefused')
  const crosses = request.type === 'market' || crossesQuote(request, quote)
  if (crosses && request.timeInForce === 'postOnly') return refused('wouldTake')
  if (!crosses && request.timeInForce === 'fok') return refused('notFillable')
  if (!crosses && request.timeInForce === 'ioc') return { outcome: 'expired', quantity }
  return crosses ? takeNow(book, request, quantity, quote, now) : rest(book, request, quantity, now)
}

/** The execution of a resting order once the market has come to its price, or undefined while it has not. */
export function matchResting(book: Book, order: Order, now: number): Execution | 'expired' | undefined {
  if (!crossesQuote(order, book.quoteOf(order.symbol))) return undefined
  const quantity = order.reduceOnly ? reducible(book, order) : order.quantity
  if (quantity === 0n) return 'expired'
  return execute(book, order, quantity, order.price, true, now)
}

function crossesQuote(order: OrderRequest, quote: Quote): boolean {
  return order.side === 'buy' ? order.price >= quote.ask : order.price <= quote.bid
}

// The venue shrinks a reduce-only order to what there is to reduce.
function reducible({ account, market }: Book, { side, quantity }: OrderRequest): bigint {
  const held = positionIn(account, market.symbol).quantity
  const against = side === 'buy' ? held < 0n : held > 0n
  return against ? smaller(quantity, absolute(held)) : 0n
}

function takeNow(book: Book, request: OrderRequest, quantity: bigint, quote: Quote, now: number): Placement {
  const price = request.side === 'buy' ? quote.ask : quote.bid
  const execution = execute(book, request, quantity, price, false, now)
  const reason = beyondMeans(book, { ...book, account: execution.account })
  return reason ? refused(reason) : { outcome: 'filled', quantity, execution }
}

function rest(book: Book, request: OrderRequest, quantity: bigint, now: number): Placement {
  const here = book.openOrders.filter((order) => order.symbol === request.symbol)
  if (here.length >= MAX_OPEN_ORDERS) return refused('tooManyOpenOrders')
  const status = {
    id: 0,
    status: 'open',
    filled: 0n,
    filledValue: 0n,
    createdAt: now,
    updatedAt: now,
  } as const
  const order: Order = { ...request, ...status, quantity }
  const reason = beyondMeans(book, { ...book, openOrders: [...book.openOrders, order] })
  return reason ? refused(reason) : { outcome: 'resting', quantity }
}

function execute(
  { account, market }: Book,
  { side }: OrderRequest,
  quantity: bigint,
  price: bigint,
  maker: boolean,
  now: number,
): Execution {
  const feeRate = maker ? MAKER_FEE : TAKER_FEE
  const settled = settle(account, { market, quantity: signed(side, quantity), price, feeRate, now })
  return { ...settled, price, quantity, maker }
}

// What binds no more margin than before is always allowed: an account in trouble must be able to shrink.
function beyondMeans(before: Book, after: Book): Refusal | undefined {
  const margin = accountMargin(after.account, after.openOrders, after.quoteOf)
  const bound = accountMargin(before.account, before.openOrders, before.quoteOf)
  if (margin.positionMargin + margin.orderMargin <= bound.positionMargin + bound.orderMargin) return undefined
  if (margin.free < 0n) return 'marginInsufficient'
  const { market } = after
  const held = positionIn(after.account, market.symbol).quantity
  const value = absolute(valueAtMark(market, held, after.quoteOf(market.symbol).mark))
  return value > maxValueAt(market, DEFAULT_LEVERAGE) ? 'positionAboveLimit' : undefined
}
