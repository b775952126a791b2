import { absolute, add, isGreater, isLess, isZero, multiply, negate, subtract } from '@tripline/proto/decimal'
import { latestReadingMs } from '../../../domain/order/absence.ts'
import type { Market } from '../../../domain/order/market.ts'
import type { VenueOrder } from '../../../domain/order/order.ts'

/** The coins that our fills added or took, as long as the private stream has not reported the wallet behind them. */
export interface OwedCoins {
  /** Remembers what an order has traded so far. */
  noteFill: (market: Pick<Market, 'base' | 'quote'>, order: VenueOrder) => void
  /** The stream reported the wallet as of this moment, by the venue's clock in ms: earlier fills are in it. */
  noteReport: (at: number) => void
  /**
   * True where a reading of the wallet has changed by what was filled since the last reading that was; it is the one that
   * later fills are held against.
   */
  isShown: (balances: ReadonlyMap<string, string>) => boolean
}

/** One order's trade of one coin: above 0 if it came in, below if it went. */
interface Fill {
  coin: string
  quantity: string
  at: number
}

// The stamps of an order and of the wallet that it changed are those of one moment, rounded.
const stampsApartMs = 5
// Fees in the coin that was bought take less of it.
const mostFee = '0.02'

/** Nothing was filled or read yet; `now` is the venue's time, in ms. */
export function createOwedCoins(now: () => number): OwedCoins {
  /** By order and coin. */
  const owed = new Map<string, Fill>()
  /** The part of them that reports and readings have shown already. */
  const shown = new Map<string, Fill>()
  let before: ReadonlyMap<string, string> = new Map()

  const noteTraded = (order: VenueOrder, coin: string, traded: string, at: number): void => {
    const id = `${order.clientOrderId} ${coin}`
    const quantity = subtract(traded, shown.get(id)?.quantity ?? '0')
    if (!isZero(quantity)) owed.set(id, { coin, quantity, at })
  }
  const noteShown = (id: string, fill: Fill): void => {
    shown.set(id, { ...fill, quantity: add(shown.get(id)?.quantity ?? '0', fill.quantity) })
    owed.delete(id)
  }
  const dropOld = (fills: Map<string, Fill>): void => {
    for (const [id, { at }] of fills) if (now() - at > latestReadingMs) fills.delete(id)
  }
  return {
    noteFill: ({ base, quote }, order) => {
      const { side, filled, averagePrice, updatedAt: at } = order
      if (at === null) return
      const bought = side === 'buy' ? filled : negate(filled)
      noteTraded(order, base, bought, at)
      if (averagePrice !== null) noteTraded(order, quote, negate(multiply(bought, averagePrice)), at)
    },
    noteReport: (at) => {
      for (const [id, fill] of owed) if (fill.at - stampsApartMs <= at) noteShown(id, fill)
    },
    isShown: (balances) => {
      dropOld(owed)
      dropOld(shown)
      const isLacking = [...Map.groupBy(owed.values(), ({ coin }) => coin)].some(
        ([coin, fills]) => !showsFills(before.get(coin) ?? '0', balances.get(coin) ?? '0', fills),
      )
      if (isLacking) return false
      for (const [id, fill] of owed) noteShown(id, fill)
      before = balances
      return true
    },
  }
}

/** True where a coin changed by what was filled, but for fees, or by more. */
function showsFills(before: string, after: string, fills: readonly Fill[]): boolean {
  const sum = fills.reduce((total, { quantity }) => add(total, quantity), '0')
  const traded = fills.reduce((total, { quantity }) => add(total, absolute(quantity)), '0')
  const slack = multiply(traded, mostFee)
  const change = subtract(after, before)
  return isLess(sum, '0') ? !isGreater(change, add(sum, slack)) : !isLess(change, subtract(sum, slack))
}
