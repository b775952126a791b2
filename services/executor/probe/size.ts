import {
  add,
  ceilToStep,
  divide,
  floorToStep,
  isGreater,
  isLess,
  multiply,
  subtract,
} from '@tripline/proto/decimal'
import type { Market } from '../src/domain/order/market.ts'

/** The best bid and ask. */
export interface Quote {
  bid: string
  ask: string
}

/** The least orders that a market takes, and where they are put; decimal text. */
export interface Size {
  quantity: string
  /** A lot below the least value; undefined where the least lot is worth more. */
  tooSmall: string | undefined
  /** Limits that the market does not reach meanwhile. */
  farBuy: string
  otherFarBuy: string
  /** A limit at which a purchase would take. */
  taking: string
  farSell: string
  /** Triggers of a sale that the market does not reach meanwhile, and a limit behind the lower one. */
  stop: string
  stopLimit: string
  takeProfit: string
  bid: string
  ask: string
}

/** Sizes what is placed: a little more than the least, so that what is sold at the lowest price is still enough. */
export function sizeOf(
  { kind, minQuantity, minNotional, quantityStep, priceTick }: Market,
  quote: Quote,
): Size {
  const { bid, ask } = quote
  const price = (factor: string, of = bid): string => floorToStep(multiply(of, factor), priceTick)
  const byValue = divide(multiply(minNotional, '1.1'), price('0.93'))
  // On spot the fee may be taken from what was bought, and the rest has to be sold.
  const byLot = kind === 'spot' ? multiply(minQuantity, '2') : minQuantity
  const quantity = ceilToStep(isGreater(byValue, byLot) ? byValue : byLot, quantityStep)
  const half = floorToStep(divide(minNotional, multiply(ask, '2')), quantityStep)
  return {
    quantity,
    tooSmall: isLess(half, minQuantity) || isLess(half, quantityStep) ? undefined : half,
    farBuy: price('0.97'),
    otherFarBuy: price('0.965'),
    taking: price('1.005', ask),
    farSell: price('1.03', ask),
    stop: price('0.95'),
    stopLimit: price('0.945'),
    takeProfit: price('1.05', ask),
    bid,
    ask,
  }
}

/** The cost of a run, in the quote coin. */
export interface Cost {
  /** The value of one order. */
  notional: string
  /** The cost of planned fills at the present spread. */
  usual: string
  /** The cost if orders that should be refused fill too, and the market moves meanwhile. */
  most: string
}

// One purchase and its sale are planned; two further orders should be refused, and would fill where they were not.
const plannedTrips = '1'
const mostTrips = '3'
// By how much the market moves at most while something is held, which is some seconds.
const mostMove = '0.02'

/**
 * The cost of a run: fees of each purchase and each sale, the spread, and what the market may move. On spot less than a step
 * of what was bought cannot be sold, since the fee was taken from it.
 */
export function costOf({ kind, quantityStep }: Market, { quantity, bid, ask }: Size, feeRate: string): Cost {
  const notional = multiply(quantity, ask)
  const spread = divide(subtract(ask, bid), ask)
  const trip = add(multiply(feeRate, '2'), spread)
  const rest = kind === 'spot' ? multiply(quantityStep, ask) : '0'
  const cost = (trips: string, rate: string): string =>
    ceilToStep(add(rest, multiply(multiply(notional, rate), trips)), '0.0001')
  return {
    notional: ceilToStep(notional, '0.01'),
    usual: cost(plannedTrips, trip),
    most: cost(mostTrips, add(trip, mostMove)),
  }
}
