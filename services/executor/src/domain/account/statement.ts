import { absolute, add, isGreater, isLess, isZero, multiply } from '@tripline/proto/decimal'
import type { PositionSide } from '@tripline/proto/language/tree'
import type { Market } from '../order/market.ts'
import type { VenueOrder } from '../order/order.ts'
import type { Holding } from './account.ts'

/** A position as the venue states it; the quantity is signed, and null is what the venue does not say. */
export interface StatedPosition {
  symbol: string
  side: PositionSide
  quantity: string
  entryPrice: string | null
  markPrice: string | null
  unrealizedPnl: string | null
  margin: string | null
  liquidationPrice: string | null
}

/** An open order of any symbol, and when it was placed, in ms by the venue's clock. */
export interface StatedOrder {
  symbol: string
  order: VenueOrder
  createdAt: number | null
}

/** Everything that an account has in one family of markets; decimal text throughout. */
export interface AccountStatement {
  equity: string | null
  available: string | null
  holdings: readonly Holding[]
  positions: readonly StatedPosition[]
  orders: readonly StatedOrder[]
}

/** Outcome of asking for a statement. */
export type StatementReading =
  | { outcome: 'read'; statement: AccountStatement }
  | { outcome: 'refused'; code: string; error: string }
  | { outcome: 'unreachable'; cause: string }

/** True for an order that can only close a position which is not there: alone it does nothing, or opens one. */
export function protectsNothing(
  { symbol, order }: Pick<StatedOrder, 'symbol' | 'order'>,
  positions: readonly Pick<StatedPosition, 'symbol' | 'quantity'>[],
  kind: Market['kind'],
): boolean {
  // Nothing on spot says that an order only reduces: a sale that waits for its trigger is an exit there.
  const isExit = kind === 'spot' ? order.isConditional && order.side === 'sell' : order.reduceOnly
  if (!isExit) return false
  return !positions.some(
    ({ symbol: held, quantity }) =>
      held === symbol && (order.side === 'sell' ? isGreater(quantity, '0') : isLess(quantity, '0')),
  )
}

interface SpotAccount {
  holdings: readonly Holding[]
  orders: readonly StatedOrder[]
  /** Last price of a symbol; undefined where it is not known. */
  priceOf: (symbol: string) => string | undefined
  market: (symbol: string) => Market | undefined
}

// In which coin spot accounts are counted.
const countedIn = 'USDT'

/**
 * The statement of a spot account, which holds coins alone: one that can be sold is a position in the market of its open
 * orders, or in that against USDT. Equity counts the coins that have a price in USDT.
 */
export function spotStatement({ holdings, orders, priceOf, market }: SpotAccount): AccountStatement {
  const held = holdings.filter(({ total }) => !isZero(total))
  const worthOf = ({ coin, total }: Holding): string =>
    coin === countedIn ? total : multiply(total, priceOf(`${coin}${countedIn}`) ?? '0')
  return {
    equity: held.map(worthOf).reduce(add, '0'),
    available: held.find(({ coin }) => coin === countedIn)?.free ?? '0',
    holdings: held,
    positions: held.flatMap((holding) => {
      const symbols = new Set([`${holding.coin}${countedIn}`, ...orders.map(({ symbol }) => symbol)])
      return [...symbols].flatMap((symbol) => heldIn(market(symbol), holding, priceOf(symbol)))
    }),
    orders,
  }
}

function heldIn(
  market: Market | undefined,
  { coin, total }: Holding,
  price: string | undefined,
): StatedPosition[] {
  // Less than can be sold is a balance alone.
  if (market?.base !== coin || isLess(absolute(total), market.minQuantity)) return []
  return [
    {
      symbol: market.symbol,
      side: 'both',
      quantity: total,
      entryPrice: null,
      markPrice: price ?? null,
      unrealizedPnl: null,
      margin: null,
      liquidationPrice: null,
    },
  ]
}
