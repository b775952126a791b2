import type { Account } from '../../domain/account.ts'
import { larger } from '../../domain/fixed.ts'
import { marketsOf } from '../../domain/market.ts'
import { type Entry, lockedOf } from '../../store/ledger.ts'
import { valueText } from './format-order.ts'
import { rateText } from './order-routes.ts'

/** What an account has of a coin: what it may spend and what its open orders will pay. */
export function balanceText(entry: Entry, account: Account, asset: string): { free: string; locked: string } {
  const total = account.balances.get(asset) ?? 0n
  const locked = lockedOf(entry, asset)
  return { free: valueText(larger(0n, total - locked)), locked: valueText(locked) }
}

function assetsOf(account: Account): string[] {
  const listed = marketsOf('binance-spot').flatMap(({ base, quote }) => [base, quote])
  return [...new Set([...account.balances.keys(), ...listed])]
}

/** The account with all its coins; with `omitsZero` only those it has. */
export function formatAccount(entry: Entry, account: Account, omitsZero: boolean) {
  const [market] = marketsOf('binance-spot')
  const [maker, taker] = [market?.makerFee ?? 0n, market?.takerFee ?? 0n]
  const balances = assetsOf(account)
    .filter((asset) => !omitsZero || (account.balances.get(asset) ?? 0n) > 0n)
    .map((asset) => ({ asset, ...balanceText(entry, account, asset) }))
  return {
    makerCommission: Number(maker) / 100,
    takerCommission: Number(taker) / 100,
    buyerCommission: 0,
    sellerCommission: 0,
    commissionRates: {
      maker: rateText(maker),
      taker: rateText(taker),
      buyer: rateText(0n),
      seller: rateText(0n),
    },
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
