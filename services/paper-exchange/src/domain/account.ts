import { absolute, smaller } from './fixed.ts'
import { type Market, valueAt } from './market.ts'

/** One way, cross margin: the leverage every account starts with. */
export const DEFAULT_LEVERAGE = 20

/** Parts of 10,000 of the value that a taker and a maker pay: the venue's rates for a regular user. */
export const TAKER_FEE = 5n
export const MAKER_FEE = 2n

/** What is held of a market: the quantity is below zero when short, the cost is what it was opened for, same sign. */
export type Position = Readonly<{
  quantity: bigint
  cost: bigint
  /** Fees paid less profit taken since the position was opened: what its price must still earn back. */
  carried: bigint
  updatedAt: number
}>

/** Balances and positions of one account at one moment. */
export type Account = Readonly<{
  balances: ReadonlyMap<string, bigint>
  positions: ReadonlyMap<string, Position>
  updatedAt: number
}>

/** An account with these balances and no position. */
export function openAccount(balances: ReadonlyMap<string, bigint>, now: number): Account {
  return { balances, positions: new Map(), updatedAt: now }
}

const FLAT: Position = { quantity: 0n, cost: 0n, carried: 0n, updatedAt: 0 }

/** What the account holds of the market; flat where it holds nothing. */
export function positionIn(account: Account, symbol: string): Position {
  return account.positions.get(symbol) ?? FLAT
}

/** The balance of an asset, zero where the account has none. */
export function balanceOf(account: Account, asset: string): bigint {
  return account.balances.get(asset) ?? 0n
}

/** A fill about to be applied: the quantity is below zero when sold. */
export type Trade = Readonly<{
  market: Market
  quantity: bigint
  price: bigint
  feeRate: bigint
  now: number
}>

/** The account after a trade, with the fee it paid and the profit it took. */
export type Settled = Readonly<{ account: Account; value: bigint; fee: bigint; realized: bigint }>

/** Books a trade: closes what it closes at its average cost, opens the rest, pays the fee. Nothing is lost to rounding. */
export function settle(account: Account, trade: Trade): Settled {
  const { market, quantity, price, now } = trade
  const value = valueAt(market, absolute(quantity), price)
  const fee = (value * trade.feeRate) / 10_000n
  const before = positionIn(account, market.symbol)
  const closed = closeOut(market, before, quantity, price)
  const opened = quantity + closed.quantity
  // A flip starts anew: only the fee of what it opens weighs on the new position.
  const flips = opened !== 0n && closed.quantity !== 0n
  const carried = flips ? (fee * opened) / quantity : before.carried - closed.realized + fee
  const cost = before.cost - closed.cost + valueAt(market, opened, price)
  const after: Position = { quantity: before.quantity + quantity, cost, carried, updatedAt: now }
  const wallet = balanceOf(account, market.quote) + closed.realized - fee
  const balances = new Map(account.balances).set(market.quote, wallet)
  const positions = withPosition(account.positions, market.symbol, after)
  return { account: { balances, positions, updatedAt: now }, value, fee, realized: closed.realized }
}

type Closed = Readonly<{ quantity: bigint; cost: bigint; realized: bigint }>

// What a trade closes, with the sign of the position; its cost is rounded once and leaves the position as it enters
// the profit, so both always add up.
function closeOut(market: Market, position: Position, traded: bigint, price: bigint): Closed {
  const [held, size] = [absolute(position.quantity), absolute(traded)]
  const against = position.quantity > 0n ? traded < 0n : position.quantity < 0n && traded > 0n
  if (!against) return { quantity: 0n, cost: 0n, realized: 0n }
  const closing = smaller(held, size)
  const quantity = position.quantity > 0n ? closing : -closing
  const cost = closing === held ? position.cost : (position.cost * closing) / held
  return { quantity, cost, realized: valueAt(market, quantity, price) - cost }
}

function withPosition(
  positions: Account['positions'],
  symbol: string,
  position: Position,
): Account['positions'] {
  const after = new Map(positions)
  if (position.quantity === 0n) after.delete(symbol)
  else after.set(symbol, position)
  return after
}
