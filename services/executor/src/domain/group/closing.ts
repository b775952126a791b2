import { isGreater, isLess, isZero, multiply } from '@tripline/proto/decimal'
import type { PositionSide } from '@tripline/proto/language/tree'
import type { AccountReading } from '../account/account.ts'
import { isOpenOrder } from '../order/attempt.ts'
import type { Market } from '../order/market.ts'
import { isTerminal, type OrderPlan } from '../order/order.ts'
import { foundAgain } from '../order/outcome.ts'
import type { Side } from '../order/side.ts'
import type { Leg, LegsRecord } from './legs-record.ts'
import { coinsOf } from './protection.ts'
import { attemptFor, type Watch } from './watch.ts'

/** A side that a position can have; what is held on spot is long. */
export type HeldSide = 'long' | 'short'

/** The position that orders are for which can only make it smaller. */
export interface Closes {
  side: HeldSide
  /** Its name in the orders: `both` where the account holds one position of a market. */
  positionSide: PositionSide
  /** It was held when they were decided on, or since. */
  isHeld: boolean
  /** They are being ended already, since it is closed. */
  isEnding: boolean
  /** Coins that they are to sell; on spot alone. */
  coins?: string
}

/** Orders that ended, as the position is closed that they were for. */
export interface ClosedOrders {
  /** When that was found. */
  at: number
  closes: Closes
  clientOrderIds: readonly string[]
}

type Shrinking = Pick<OrderPlan, 'side' | 'reduceOnly' | 'positionSide'>

/** Returns the position that the open orders of a watch are for; undefined where one of them may open something. */
export function closesOf(watch: Watch): Closes | undefined {
  const { stored, attempts, market } = watch
  const { record } = stored
  const isEnding = record.state === 'closing' && record.isClosed === true
  const isOpen = record.state === 'live' || isEnding || sparesOne(watch)
  // Orders taken back for a sale stand again or not by what that leaves.
  if (record.isUntold === true || record.takenBack !== undefined || !isOpen) return undefined
  const orders = record.legs.filter((leg) => !isOver(watch, leg)).map((leg) => orderOf(watch, leg))
  const [side, ...others] = new Set(orders.map((order) => order && shrunkBy(order, market.kind)))
  if (side === undefined || others.length > 0) return undefined
  const isFilled = attempts.some(({ found }) => found !== undefined && !isZero(found.filled))
  const isHeld = record.protects === true || isFilled || orders.every((order) => order?.reduceOnly === true)
  const positionSide = orders.every((order) => order?.positionSide === side) ? side : 'both'
  return { side, positionSide, isHeld, isEnding, ...(market.kind === 'spot' && { coins: coinsOf(record) }) }
}

/** True where the orders of a group are being canceled for one of them that is still open, or may be. */
function sparesOne({ stored: { record }, attempts }: Watch): boolean {
  const { state, closedBy } = record
  const spared = attempts.find(({ ref }) => ref.clientOrderId === closedBy)
  return state === 'closing' && spared !== undefined && (spared.doubt !== undefined || isOpenOrder(spared))
}

function isOver(watch: Watch, { isOver, decision }: Leg): boolean {
  const found = attemptFor(watch, decision)?.found
  return isOver === true || (found !== undefined && isTerminal(found))
}

/** The order of a leg as it was decided on; where that is not known, as the exchange shows it. */
function orderOf(watch: Watch, { decision }: Leg): Shrinking | undefined {
  if (decision.plan.sizing !== foundAgain) return decision.plan
  const found = attemptFor(watch, decision)?.found
  return found && { side: found.side, reduceOnly: found.reduceOnly, positionSide: 'both' }
}

/** The side of a position that an order makes smaller and can do nothing else to. */
function shrunkBy({ side, reduceOnly, positionSide }: Shrinking, kind: Market['kind']): HeldSide | undefined {
  const against = sideAgainst(side)
  if (kind === 'spot') return against === 'long' ? against : undefined
  const isOnlyAgainst = positionSide === 'both' ? reduceOnly : positionSide === against
  return isOnlyAgainst ? against : undefined
}

/** The side of a position that an order of this side makes smaller. */
export function sideAgainst(side: Side): HeldSide {
  return side === 'sell' ? 'long' : 'short'
}

/** True where a reading shows nothing of a position any more, or on spot less than the least order could sell. */
export function isClosedIn(
  { position, hedged, bid }: Pick<AccountReading, 'position' | 'hedged' | 'bid'>,
  { side, coins }: Pick<Closes, 'side' | 'coins'>,
  { kind, minQuantity, minNotional }: Pick<Market, 'kind' | 'minQuantity' | 'minNotional'>,
): boolean {
  if (kind === 'spot') {
    // All of the coins may have become worth less than the least order: their stop stays.
    const isSold = coins !== undefined && isLess(position, coins)
    return isLess(position, minQuantity) || (isSold && isLess(multiply(position, bid), minNotional))
  }
  const quantity = hedged === undefined ? position : hedged[side].quantity
  return side === 'long' ? !isGreater(quantity, '0') : !isLess(quantity, '0')
}

/** The record of orders that are ended as the position is closed that they were for. */
export function closedWithPosition(record: LegsRecord): LegsRecord {
  const { closedBy: _spared, ...rest } = record
  return { ...rest, state: 'closing', isClosed: true }
}
