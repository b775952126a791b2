import { isGreater, multiply } from '@tripline/proto/decimal'
import type { TradingState } from '@tripline/proto/user-config'
import { type Ending, failed } from '../order/ending.ts'
import type { OrderPlan } from '../order/order.ts'
import type { AccountReading } from './account.ts'
import { isAgainst, isExit } from './position.ts'

/** Limits of a bot as known when its commands run. */
export interface BotLimits {
  tradingState: TradingState
  maxEntryAgeMs: number
  /** Time in which an exit or a cancel is tried. */
  exitRetryMs: number
  /** The most that one entry may be worth, in quote coin; undefined where nothing limits it. */
  maxOrderValue?: string | undefined
  /** The alert came at a close-only address. */
  isCloseOnly?: boolean
  /** Why no more of the user's alerts can wait; undefined where one can. */
  waitObjection?: string | undefined
  /** So much of the user's rests that no entry may rest besides (`many`), or no order may (`tooMany`). */
  resting?: 'many' | 'tooMany' | undefined
  /** An exit that came later is run first, or was: nothing may be opened behind it. */
  isOvertaken?: boolean
}

/** Why a bot that is halted does nothing. */
export const haltedError =
  'The bot is halted: nothing runs, exits included, until its trading state is changed'

const reducingError =
  'The order would open or add to a position. While the bot is Reducing, or trading is paused for all bots, only exits and cancels run'

/** Ending of an entry that an exit overtook. */
export const overtakenEnding = failed(
  'E519',
  'An exit that came later was not kept waiting for this, and was run first; nothing of it was executed',
)

const tooManyRest = 'Too many of your orders rest at exchanges; cancel what is not needed'

/** Fields of an order that decide whether it is placed. */
export type PermittedOrder = Pick<
  OrderPlan,
  | 'type'
  | 'side'
  | 'quantity'
  | 'quoteQuantity'
  | 'price'
  | 'triggerPrice'
  | 'timeInForce'
  | 'reduceOnly'
  | 'positionSide'
>

/**
 * Returns whether orders may be placed now: not by a halted bot, and entries neither by one that only reduces, nor when
 * their alert is too old, nor when one is worth more than its bot may place or would rest beside too many. `read`: whether
 * they are exits, or what they are worth, depends on the account and its market, which were not read yet.
 */
export function permit(
  orders: readonly PermittedOrder[],
  reading: AccountReading | undefined,
  ageMs: number,
  { tradingState, maxEntryAgeMs, maxOrderValue, isCloseOnly = false, isOvertaken, resting }: BotLimits,
): 'placed' | 'read' | Ending {
  if (tradingState === 'halted') return failed('E516', haltedError)
  if (isOvertaken === true && orders.some(({ reduceOnly }) => !reduceOnly)) return overtakenEnding
  const isFull = resting !== undefined && orders.some(mayRest)
  if (isFull && resting === 'tooMany') return failed('E513', tooManyRest)
  const isLate = ageMs > maxEntryAgeMs
  if (!isLate && !isFull && tradingState === 'active' && maxOrderValue === undefined) return 'placed'
  const mayOpen = orders.filter(({ reduceOnly }) => !reduceOnly)
  if (mayOpen.length === 0) return 'placed'
  if (reading === undefined) return 'read'
  const entries = mayOpen.filter((order) => !isExitOf(order, reading))
  if (entries.length === 0) return 'placed'
  if (isCloseOnly)
    return failed('E407', 'The alert came at a close-only address, and the order would open or add')
  if (tradingState === 'reducing') return failed('E516', reducingError)
  if (isLate) {
    const limitS = maxEntryAgeMs / 1000
    return failed(
      'E515',
      `The alert is ${(ageMs / 1000).toFixed(0)} s old, entries are run up to ${limitS} s`,
    )
  }
  if (isFull && entries.some(mayRest)) return failed('E513', tooManyRest)
  return tooDear(entries, reading, maxOrderValue) ?? 'placed'
}

function mayRest({ type, timeInForce }: PermittedOrder): boolean {
  return type !== 'market' && timeInForce !== 'ioc' && timeInForce !== 'fok'
}

/** In hedge mode a side that sells its long, or buys back its short, can only shrink it. */
export function isExitOf(order: PermittedOrder, reading: AccountReading): boolean {
  const { positionSide, side, quantity } = order
  return positionSide === 'both' ? isExit(side, quantity, reading.position) : isAgainst(order, reading)
}

/** Returns an order's worth in quote coin: at its own price, or else at what the market asks. */
export function worthIn(
  { side, quantity, quoteQuantity, price, triggerPrice }: PermittedOrder,
  { bid, ask }: Pick<AccountReading, 'bid' | 'ask'>,
): string {
  return quoteQuantity ?? multiply(quantity, price ?? triggerPrice ?? (side === 'buy' ? ask : bid))
}

function tooDear(
  entries: readonly PermittedOrder[],
  reading: AccountReading,
  maxOrderValue: string | undefined,
): Ending | undefined {
  if (maxOrderValue === undefined) return undefined
  const value = entries.map((order) => worthIn(order, reading)).find((each) => isGreater(each, maxOrderValue))
  if (value === undefined) return undefined
  return failed('E517', `The order is worth ${value}, the most that this bot may place is ${maxOrderValue}`)
}
