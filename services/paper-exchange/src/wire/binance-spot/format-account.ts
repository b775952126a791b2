import { type Account, BNB, paysInBnb } from '../../domain/account.ts'
import { larger } from '../../domain/fixed.ts'
import { lockOf } from '../../domain/lock.ts'
import { type Market, marketsOf } from '../../domain/market.ts'
import { accountAt, type Entry, lockedOf, openOrdersAt } from '../../store/ledger.ts'
import { valueText } from './format-order.ts'

type Locked = (asset: string) => bigint

/** Returns an account's balance of a coin now: what it may spend, and what its open orders will pay. */
export function balanceText(entry: Entry, asset: string) {
  return textsOf(entry.account, (coin) => lockedOf(entry, coin), asset)
}

function textsOf(account: Account, lockedIn: Locked, asset: string): { free: string; locked: string } {
  const locked = lockedIn(asset)
  const free = larger(0n, (account.balances.get(asset) ?? 0n) - locked)
  return { free: valueText(free), locked: valueText(locked) }
}

// Returns the amounts that orders locked at a moment that is over, found by looking at each as it was.
function lockedAt(entry: Entry, moment: number): Locked {
  if (moment === Number.POSITIVE_INFINITY) return (asset) => lockedOf(entry, asset)
  const sums = new Map<string, bigint>()
  for (const order of openOrdersAt(entry, moment)) {
    const lock = lockOf(order)
    if (lock) sums.set(lock.asset, (sums.get(lock.asset) ?? 0n) + lock.amount)
  }
  return (asset) => sums.get(asset) ?? 0n
}

/** A fee rate as decimal text. */
export function rateText(millionths: bigint): string {
  return `0.${millionths.toString().padStart(6, '0')}00`
}

const NO_FEES = { maker: rateText(0n), taker: rateText(0n), buyer: rateText(0n), seller: rateText(0n) }
// Returns the part of the fee that is left if it is paid in BNB.
const discountOf = ({ account }: Entry) => ({
  enabledForAccount: paysInBnb(account, 'binance-spot'),
  enabledForSymbol: true,
  discountAsset: BNB,
  discount: rateText(750_000n),
})

/** The fees of a market. */
export function formatCommission(entry: Entry, { symbol, makerFee, takerFee }: Market) {
  return {
    symbol,
    standardCommission: { ...NO_FEES, maker: rateText(makerFee), taker: rateText(takerFee) },
    specialCommission: NO_FEES,
    taxCommission: NO_FEES,
    discount: discountOf(entry),
  }
}

/** Returns the fees of a market in the form for an order that is only tested. */
export function formatTestedCommission(entry: Entry, { makerFee, takerFee }: Market) {
  return {
    standardCommissionForOrder: { maker: rateText(makerFee), taker: rateText(takerFee) },
    specialCommissionForOrder: { maker: rateText(0n), taker: rateText(0n) },
    taxCommissionForOrder: { maker: rateText(0n), taker: rateText(0n) },
    discount: discountOf(entry),
  }
}

function assetsOf(account: Account): string[] {
  const listed = marketsOf('binance-spot').flatMap(({ base, quote }) => [base, quote])
  return [...new Set([...account.balances.keys(), ...listed])]
}

/** The account with all its coins as it was at a moment; with `omitsZero` only those it had. */
export function formatAccount(entry: Entry, moment: number, omitsZero: boolean) {
  const account = accountAt(entry, moment)
  const lockedIn = lockedAt(entry, moment)
  const [market] = marketsOf('binance-spot')
  const [maker, taker] = [market?.makerFee ?? 0n, market?.takerFee ?? 0n]
  const balances = assetsOf(account)
    .filter((asset) => !omitsZero || (account.balances.get(asset) ?? 0n) > 0n)
    .map((asset) => ({ asset, ...textsOf(account, lockedIn, asset) }))
  return {
    makerCommission: Number(maker) / 100,
    takerCommission: Number(taker) / 100,
    buyerCommission: 0,
    sellerCommission: 0,
    commissionRates: { ...NO_FEES, maker: rateText(maker), taker: rateText(taker) },
    canTrade: true,
    canWithdraw: false,
    canDeposit: false,
    brokered: false,
    requireSelfTradePrevention: false,
    preventSor: false,
    updateTime: account.updatedAt,
    accountType: 'SPOT',
    balances,
    permissions: ['SPOT'],
    uid: entry.openedAt,
  }
}
