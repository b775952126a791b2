import type { Position } from './account.ts'
import { type Market, type MarketId, valueAtMark } from './market.ts'
import type { PositionSide } from './order.ts'
import type { Quote } from './quote.ts'

/** Hours between payments of funding: at 0, 8 and 16 o'clock UTC, as both venues do for most symbols. */
export const FUNDING_HOURS = 8
const FUNDING_MS = FUNDING_HOURS * 3_600_000

/** Rates have eight places. */
export const RATE_SCALE = 8

/** The payment of one position at one time; an amount below zero was received. */
export type Funding = Readonly<{
  id: number
  market: MarketId
  side: PositionSide
  /** Signed as the position's. */
  quantity: bigint
  mark: bigint
  rate: bigint
  /** Of the position, without a sign. */
  value: bigint
  paid: bigint
  at: number
}>

/** When funding is paid next. */
export function nextFunding(now: number): number {
  return now - (now % FUNDING_MS) + FUNDING_MS
}

/** When funding was to be paid last. */
export function lastFunding(now: number): number {
  return now - (now % FUNDING_MS)
}

/** Returns the payment of a position at these prices: above a rate of zero longs pay and shorts get it. */
export function fundingOf(
  market: Market,
  position: Position,
  { mark, fundingRate: rate }: Quote,
): Omit<Funding, 'id' | 'at'> {
  const notional = valueAtMark(market, position.quantity, mark)
  const { side, quantity } = position
  const value = notional < 0n ? -notional : notional
  const paid = (notional * rate) / 10n ** BigInt(RATE_SCALE)
  return { market: market.id, side, quantity, mark, rate, value, paid }
}
