import { absolute, smaller } from './fixed.ts'
import { baseAmount, type Market, type MarketId, type Venue, valueAt } from './market.ts'
import { type PositionSide, type Side, signed } from './order.ts'

/** The margin of a position: from the whole wallet, or set aside for it alone. */
export type MarginMode = 'cross' | 'isolated'

/** One position in a market, or a long and a short one beside each other. */
export type PositionMode = 'one-way' | 'hedge'

/** Names a position of an account: market and side. */
export type PositionKey = string & { readonly __brand: 'PositionKey' }

/** A position in a market: the quantity is below zero when short, the cost is what it was opened for, same sign. */
export type Position = Readonly<{
  market: MarketId
  side: PositionSide
  quantity: bigint
  cost: bigint
  /** Fees paid less profit taken since the position was opened: what its price must still earn back. */
  carried: bigint
  marginMode: MarginMode
  /** The margin set aside for it when isolated; it stays part of the balance. */
  margin: bigint
  openedAt: number
  updatedAt: number
}>

/** Terms that a venue has set for an account; absent ones are as usual. */
export type Terms = Readonly<{
  /** The longest lag of the account's reads, in milliseconds. */
  readLagMs?: number
  /** Whether fees of Binance's markets are taken in BNB, at a discount, where there is enough of it; they are as usual. */
  bnbFees?: Readonly<{ spot: boolean; futures: boolean }>
  /** Answers of USDⓈ-M to POST and DELETE have mean price and value, as they did until 2026-06-30. */
  meanPrices?: boolean
  /** All coins together are the margin of USDⓈ-M. */
  multiAssets?: boolean
  /** USDⓈ-M keeps what is traded with as credits (BNFCR), as accounts in the EU have it. */
  credits?: boolean
  /** The value in place of the sequence in Bybit's positions: nothing, or that it is unknown (-1). */
  positionSeq?: 'none' | 'unknown'
}>

/** An account's choices; absent ones were not made. */
export type Settings = Readonly<{
  terms?: Terms
  leverage: ReadonlyMap<MarketId, number>
  marginMode: ReadonlyMap<MarketId, MarginMode>
  positionMode: ReadonlyMap<Venue | MarketId, PositionMode>
}>

/** Balances, positions and settings of one account at one moment. */
export type Account = Readonly<{
  balances: ReadonlyMap<string, bigint>
  positions: ReadonlyMap<PositionKey, Position>
  settings: Settings
  updatedAt: number
}>

const NOTHING_CHOSEN: Settings = { leverage: new Map(), marginMode: new Map(), positionMode: new Map() }

/** An account with these balances and no position. */
export function openAccount(balances: ReadonlyMap<string, bigint>, now: number): Account {
  return { balances, positions: new Map(), settings: NOTHING_CHOSEN, updatedAt: now }
}

/** The name of a market's position. */
export function positionKey(market: MarketId, side: PositionSide): PositionKey {
  return `${market} ${side}` as PositionKey
}

/** Returns the account's position in the market; a flat one if it holds nothing. */
export function positionIn(account: Account, market: MarketId, side: PositionSide = 'net'): Position {
  return account.positions.get(positionKey(market, side)) ?? flat(account, market, side)
}

function flat(account: Account, market: MarketId, side: PositionSide): Position {
  const marginMode = marginModeOf(account, market)
  return {
    market,
    side,
    marginMode,
    quantity: 0n,
    cost: 0n,
    carried: 0n,
    margin: 0n,
    openedAt: 0,
    updatedAt: 0,
  }
}

/** Every position the account holds in the market. */
export function positionsIn(account: Account, market: MarketId): Position[] {
  const openPositions: Position[] = []
  for (const side of POSITION_SIDES) {
    const position = account.positions.get(positionKey(market, side))
    if (position) openPositions.push(position)
  }
  return openPositions
}

const POSITION_SIDES: readonly PositionSide[] = ['net', 'long', 'short']

/** The balance of an asset, zero where the account has none. */
export function balanceOf(account: Account, asset: string): bigint {
  return account.balances.get(asset) ?? 0n
}

const BINANCE_LEVERAGE = 20
const BYBIT_LEVERAGE = 10

/** The leverage of the account in the market. */
export function leverageOf({ settings }: Account, market: MarketId): number {
  return settings.leverage.get(market) ?? (market.startsWith('binance') ? BINANCE_LEVERAGE : BYBIT_LEVERAGE)
}

/** Returns the margin mode of the account's new positions in the market. */
export function marginModeOf({ settings }: Account, market: MarketId): MarginMode {
  return settings.marginMode.get(market) ?? 'cross'
}

/** Whether the account holds one position in the market or two. */
export function positionModeOf({ settings }: Account, market: Pick<Market, 'id' | 'venue'>): PositionMode {
  return settings.positionMode.get(market.id) ?? settings.positionMode.get(market.venue) ?? 'one-way'
}

/** The coin in which Binance takes fees at a discount. */
export const BNB = 'BNB'

/** Whether fees of the venue are taken in BNB from an account that has some: an account of captures of 2026-09 paid so. */
export function paysInBnb({ settings }: Account, venue: 'binance-spot' | 'binance-futures'): boolean {
  return settings.terms?.bnbFees?.[venue === 'binance-spot' ? 'spot' : 'futures'] ?? true
}

/** A fill about to be booked. */
export type Trade = Readonly<{
  market: Market
  side: Side
  positionSide: PositionSide
  quantity: bigint
  price: bigint
  /** Parts of 1,000,000 of the value. */
  feeRate: bigint
  /** The fee is taken in another coin, by the caller. */
  isFeeApart?: boolean
  now: number
}>

/** The account after a trade, with the fee it paid and the profit it took. */
export type AppliedTrade = Readonly<{
  account: Account
  value: bigint
  fee: bigint
  feeAsset: string
  realized: bigint
}>

const FEE_PARTS = 1_000_000n

/** Books a trade. The money that one side pays the other gets, but for the fees. */
export function applyTrade(account: Account, trade: Trade): AppliedTrade {
  return trade.market.kind === 'spot' ? applySpotTrade(account, trade) : applyLinearTrade(account, trade)
}

function applySpotTrade(account: Account, trade: Trade): AppliedTrade {
  const { market, side, quantity, price, feeRate, now } = trade
  const value = valueAt(market, quantity, price)
  const base = baseAmount(market, quantity)
  const [feeAsset, received] = side === 'buy' ? [market.base, base] : [market.quote, value]
  const fee = (received * feeRate) / FEE_PARTS
  const taken = trade.isFeeApart ? 0n : fee
  const [baseChange, quoteChange] = side === 'buy' ? [base - taken, -value] : [-base, value - taken]
  const balances = new Map(account.balances)
  balances.set(market.base, balanceOf(account, market.base) + baseChange)
  balances.set(market.quote, balanceOf(account, market.quote) + quoteChange)
  return { account: { ...account, balances, updatedAt: now }, value, fee, feeAsset, realized: 0n }
}

// Closes what it closes at its average cost, opens the rest, pays the fee. Nothing is lost to rounding.
function applyLinearTrade(account: Account, trade: Trade): AppliedTrade {
  const { market, price, now } = trade
  const quantity = signed(trade.side, trade.quantity)
  const value = valueAt(market, trade.quantity, price)
  const fee = (value * trade.feeRate) / FEE_PARTS
  const before = positionIn(account, market.id, trade.positionSide)
  const closed = closeOut(market, before, quantity, price)
  const opened = quantity + closed.quantity
  // A flip starts anew: only the fee of what it opens weighs on the new position.
  const flips = opened !== 0n && closed.quantity !== 0n
  const openedValue = valueAt(market, opened, price)
  const after: Position = {
    ...before,
    quantity: before.quantity + quantity,
    cost: before.cost - closed.cost + openedValue,
    carried: flips ? (fee * opened) / quantity : before.carried - closed.realized + fee,
    margin: marginAfter(account, before, closed.quantity, openedValue),
    openedAt: before.quantity === 0n || flips ? now : before.openedAt,
    updatedAt: now,
  }
  const wallet = balanceOf(account, market.quote) + closed.realized - (trade.isFeeApart ? 0n : fee)
  const balances = new Map(account.balances).set(market.quote, wallet)
  const positions = withPosition(account.positions, after)
  const settled = { ...account, balances, positions, updatedAt: now }
  return { account: settled, value, fee, feeAsset: market.quote, realized: closed.realized }
}

// A closed part gives its share back to the wallet, an opened one sets aside its initial margin.
function marginAfter(account: Account, before: Position, closed: bigint, openedValue: bigint): bigint {
  if (before.marginMode === 'cross') return 0n
  const given = before.quantity === 0n ? 0n : (before.margin * absolute(closed)) / absolute(before.quantity)
  const asked = absolute(openedValue) / BigInt(leverageOf(account, before.market))
  return before.margin - given + asked
}

type Closed = Readonly<{ quantity: bigint; cost: bigint; realized: bigint }>

// Returns the part that a trade closes, with the sign of the position; its cost is rounded once and leaves the position
// as it enters the profit, so both always add up.
function closeOut(market: Market, position: Position, traded: bigint, price: bigint): Closed {
  const [held, size] = [absolute(position.quantity), absolute(traded)]
  const against = position.quantity > 0n ? traded < 0n : position.quantity < 0n && traded > 0n
  if (!against) return { quantity: 0n, cost: 0n, realized: 0n }
  const closing = smaller(held, size)
  const quantity = position.quantity > 0n ? closing : -closing
  const cost = closing === held ? position.cost : (position.cost * closing) / held
  return { quantity, cost, realized: valueAt(market, quantity, price) - cost }
}

function withPosition(positions: Account['positions'], position: Position): Account['positions'] {
  const after = new Map(positions)
  const key = positionKey(position.market, position.side)
  if (position.quantity === 0n) after.delete(key)
  else after.set(key, position)
  return after
}

/** The account with its balance of the asset changed by the amount. */
export function credited(account: Account, asset: string, amount: bigint, now: number): Account {
  const balances = new Map(account.balances).set(asset, balanceOf(account, asset) + amount)
  return { ...account, balances, updatedAt: now }
}
