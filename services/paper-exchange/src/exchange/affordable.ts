import { type Account, applyTrade, balanceOf, leverageOf, positionIn } from '../domain/account.ts'
import type { Refusal } from '../domain/filter.ts'
import { absolute, larger, smaller } from '../domain/fixed.ts'
import { lockOf } from '../domain/lock.ts'
import { accountMargin, isReducing, withdrawableOf } from '../domain/margin.ts'
import { baseAmount, type Market, marketOf, maxValueAt, valueAt, valueAtMark } from '../domain/market.ts'
import type { Order } from '../domain/order.ts'
import type { Match } from '../domain/plan.ts'
import { type Entry, lockedOf, openOrdersOf } from '../store/ledger.ts'
import type { Floor } from './run.ts'

/** The effect of an order: what it takes now, and what of it would rest. */
export type Effect = Readonly<{ matches: ReadonlyArray<Match<Entry>>; rests: bigint }>

/** Returns the amount of an asset that the account may spend: not what is locked, nor what positions bind. */
export function freeOf(floor: Floor, entry: Entry, asset: string): bigint {
  const plain = larger(0n, balanceOf(entry.account, asset) - lockedOf(entry, asset))
  if (!isBound(entry, asset)) return plain
  return smaller(
    plain,
    withdrawableOf(accountMargin(entry.account, openOrdersOf(entry), floor.board.of, asset)),
  )
}

// Only the quote coin of linear markets is margin.
function isBound(entry: Entry, asset: string): boolean {
  for (const { market } of entry.account.positions.values()) if (marketOf(market).quote === asset) return true
  for (const [id, open] of entry.openByMarket) {
    const market = marketOf(id)
    if (open.size > 0 && market.kind === 'linear' && market.quote === asset) return true
  }
  return false
}

/** Why the account cannot afford what the order would do. */
export function beyondMeans(floor: Floor, entry: Entry, order: Order, effect: Effect): Refusal | undefined {
  const market = marketOf(order.market)
  return market.kind === 'spot'
    ? beyondBalance(floor, entry, market, order, effect)
    : beyondMargin(floor, entry, market, order, effect)
}

function beyondBalance(
  floor: Floor,
  entry: Entry,
  market: Market,
  order: Order,
  { matches, rests }: Effect,
): Refusal | undefined {
  let [cost, quantity] = [valueAt(market, rests, order.price), rests]
  for (const match of matches) {
    if (match.isOwn) continue
    cost += valueAt(market, match.quantity, match.price)
    quantity += match.quantity
  }
  const [asset, amount] =
    order.side === 'buy' ? [market.quote, cost] : [market.base, baseAmount(market, quantity)]
  // The money that the order itself already locks is there for it.
  const known = entry.orders.get(order.id)
  const own = known && lockOf(known)
  const free = freeOf(floor, entry, asset) + (own?.asset === asset ? own.amount : 0n)
  return amount > free ? 'balanceInsufficient' : undefined
}

// An order that binds no more margin than before is always allowed: an account in trouble must be able to shrink.
function beyondMargin(
  floor: Floor,
  entry: Entry,
  market: Market,
  order: Order,
  { matches, rests }: Effect,
): Refusal | undefined {
  if (isReducing(order)) return undefined
  const open = openOrdersOf(entry)
  const others = open.filter(({ id }) => id !== order.id)
  const resting: Order = { ...order, status: 'open', quantity: rests, filled: 0n }
  const account = afterMatches(entry.account, market, order, matches)
  const quoteOf = floor.board.of
  const before = accountMargin(entry.account, open, quoteOf, market.quote)
  const after = accountMargin(account, rests > 0n ? [...others, resting] : others, quoteOf, market.quote)
  if (after.positionMargin + after.orderMargin <= before.positionMargin + before.orderMargin) return undefined
  if (after.free < 0n) return 'marginInsufficient'
  const held = positionIn(account, market.id, order.positionSide).quantity
  const value = absolute(valueAtMark(market, held, quoteOf(market.id).mark))
  return value > maxValueAt(market, leverageOf(account, market.id)) ? 'positionAboveLimit' : undefined
}

function afterMatches(account: Account, market: Market, order: Order, matches: Effect['matches']): Account {
  const { side, positionSide, updatedAt: now } = order
  let after = account
  for (const { isOwn, quantity, price } of matches) {
    if (isOwn) continue
    after = applyTrade(after, {
      market,
      side,
      positionSide,
      quantity,
      price,
      feeRate: market.takerFee,
      now,
    }).account
  }
  return after
}
