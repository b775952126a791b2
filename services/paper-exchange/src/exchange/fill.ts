import {
  type Account,
  type AppliedTrade,
  applyTrade,
  BNB,
  balanceOf,
  credited,
  paysInBnb,
  positionIn,
  positionsIn,
  type Trade,
} from '../domain/account.ts'
import { smaller } from '../domain/fixed.ts'
import { isReducing } from '../domain/margin.ts'
import {
  baseAmount,
  findMarket,
  finePrice,
  type Market,
  marketOf,
  VALUE_SCALE,
  valueAt,
} from '../domain/market.ts'
import { type Fill, type Order, opposite, remaining, type Side } from '../domain/order.ts'
import { type Entry, lockedOf } from '../store/ledger.ts'
import { closeList, endSibling } from './end.ts'
import { nextVersion, putAccount, putFill, putVersion, type Run, setHolder, touch } from './run.ts'

/** An execution about to be booked. */
export type Execution = Readonly<{ price: bigint; quantity: bigint; maker: boolean }>

/** Returns the quantity that an order may reduce if it may only shrink a position, at most what is left of it. */
export function reducible(account: Account, order: Order | ReducingRequest): bigint {
  const held = positionIn(account, order.market, order.positionSide).quantity
  const against = order.side === 'buy' ? held < 0n : held > 0n
  if (!against) return 0n
  const size = held < 0n ? -held : held
  return order.closePosition ? size : smaller(size, order.quantity - ('filled' in order ? order.filled : 0n))
}

type ReducingRequest = Pick<Order, 'market' | 'positionSide' | 'side' | 'closePosition' | 'quantity'>

/** Returns the quantity that a resting order can still execute: nothing if its position or its money has gone. */
export function executable(entry: Entry, order: Order, price: bigint): bigint {
  const market = marketOf(order.market)
  if (market.kind === 'spot') return affordable(market, entry, order, price)
  return isReducing(order) ? reducible(entry.account, order) : remaining(order)
}

// Money that was lost elsewhere is gone for the order that had locked it.
function affordable(market: Market, { account }: Entry, order: Order, price: bigint): bigint {
  const left = remaining(order)
  const [asset, cost] =
    order.side === 'buy'
      ? [market.quote, valueAt(market, left, price)]
      : [market.base, baseAmount(market, left)]
  return balanceOf(account, asset) >= cost ? left : 0n
}

/** Books an execution for the order's account and emits it; the house has the fee. */
export function bookFill(run: Run, entry: Entry, order: Order, execution: Execution): Order {
  const market = marketOf(order.market)
  const { price, quantity, maker } = execution
  const { side, positionSide } = order
  const feeRate = maker ? market.makerFee : market.takerFee
  const before = entry.account
  const trade = { market, side, positionSide, quantity, price, feeRate, now: run.now }
  const settled = applyFee(run, entry, trade)
  putAccount(run, entry, settled.account)
  payHouse(run, settled.feeAsset, settled.fee)
  keepAboveZero(run, entry, market.quote)
  const { value, fee, feeAsset, realized } = settled
  const id = run.floor.ledger.lastFillId + 1
  const named = { id, orderId: order.id, market: market.id, side, positionSide }
  const fill: Fill = { ...named, price, quantity, value, fee, feeAsset, realized, maker, at: run.now }
  putFill(run, entry, fill)
  touch(run, entry, 'order', market.quote, market.id)
  if (feeAsset === BNB) touch(run, entry, 'order', BNB, market.id)
  if (market.kind === 'spot') touch(run, entry, 'order', market.base, market.id)
  else followPosition(run, entry, order, before)
  const lost = feeAsset === market.quote ? fee : 0n
  if (realized - lost < 0n && market.kind === 'linear') run.poorer.push({ entry, asset: market.quote })
  return withFill(run, entry, order, fill)
}

// The part of a fee that is left to pay in BNB: 75 % on spot, 90 % on futures (the venue's fee schedule; the futures
// share is that of captures of 2026-09).
const PAID_IN_BNB = { 'binance-spot': 75n, 'binance-futures': 90n } as const

/** Books a trade with its fee: in BNB where the account pays so and has enough of it, else as usual. */
function applyFee(run: Run, entry: Entry, trade: Trade): AppliedTrade {
  const fee = feeInBnb(run, entry, trade)
  if (fee === undefined) return applyTrade(entry.account, trade)
  const settled = applyTrade(entry.account, { ...trade, isFeeApart: true })
  const held = smaller(balanceOf(entry.account, BNB), balanceOf(settled.account, BNB))
  if (held - lockedOf(entry, BNB) < fee) return applyTrade(entry.account, trade)
  return { ...settled, account: credited(settled.account, BNB, -fee, run.now), fee, feeAsset: BNB }
}

function feeInBnb(run: Run, entry: Entry, { market, quantity, price, feeRate }: Trade): bigint | undefined {
  const { venue } = market
  const rate = findMarket('binance-spot', `${BNB}${market.quote}`)
  if (entry === run.floor.ledger.house || rate === undefined) return undefined
  if ((venue !== 'binance-spot' && venue !== 'binance-futures') || !paysInBnb(entry.account, venue))
    return undefined
  const asked = (valueAt(market, quantity, price) * feeRate * PAID_IN_BNB[venue]) / 100_000_000n
  return (asked * 10n ** BigInt(VALUE_SCALE)) / finePrice(rate, run.floor.board.of(rate.id).last)
}

function withFill(run: Run, entry: Entry, order: Order, fill: Fill): Order {
  const filled = order.filled + fill.quantity
  const version = nextVersion(run, order, {
    filled,
    filledValue: order.filledValue + fill.value,
    status: filled === order.quantity ? 'filled' : 'open',
  })
  putVersion(run, entry, version, fill)
  endSibling(run, entry, version)
  closeList(run, entry, version)
  if (order.attached) run.attached.push({ entry, order: version, quantity: fill.quantity })
  return version
}

// A position that has closed or turned around takes with it what protected it.
function followPosition(run: Run, entry: Entry, { market, positionSide }: Order, before: Account): void {
  const had = positionIn(before, market, positionSide).quantity
  const has = positionIn(entry.account, market, positionSide).quantity
  if (had !== 0n && (has === 0n || had < 0n !== has < 0n))
    run.gone.push({ entry, market, side: positionSide })
  if ((had === 0n) === (has === 0n)) return
  setHolder(run.floor, entry, market, positionsIn(entry.account, market).length > 0)
}

/** The house takes the other side of an execution. */
export function bookHouse(run: Run, market: Market, side: Side, quantity: bigint, price: bigint): void {
  const { house } = run.floor.ledger
  const trade: Trade = {
    ...{ market, quantity, price, now: run.now },
    side: opposite(side),
    positionSide: 'net',
    feeRate: 0n,
  }
  putAccount(run, house, applyTrade(house.account, trade).account)
}

/** Gives the house an amount of a coin, or takes it from there. */
export function payHouse(run: Run, asset: string, amount: bigint): void {
  const { house } = run.floor.ledger
  if (amount !== 0n) putAccount(run, house, credited(house.account, asset, amount, run.now))
}

// Nobody owes the venue: the house takes over what a loss exceeds the balance by.
function keepAboveZero(run: Run, entry: Entry, asset: string): void {
  const missing = -balanceOf(entry.account, asset)
  if (missing <= 0n) return
  putAccount(run, entry, credited(entry.account, asset, missing, run.now))
  payHouse(run, asset, -missing)
}
