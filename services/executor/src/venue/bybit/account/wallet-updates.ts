import { absolute, isGreater, subtract } from '@tripline/proto/decimal'
import { latestReadingMs } from '../../../domain/order/absence.ts'

/** The private stream's reports of an account's coins: a reading that shows anything else is older. */
export interface WalletUpdates {
  /** Remembers what was reported, and when that was so by the venue's clock, in ms. */
  note: (balances: ReadonlyMap<string, string>, at: number) => void
  /** True where a reading has what was reported, as far as a reading may still lack it. */
  isShown: (balances: ReadonlyMap<string, string>) => boolean
  /** Reports from now on do not count. */
  forget: () => void
}

// As far as the venue's own numbers are rounded.
const slack = '0.00000001'

/** Nothing was reported yet; `now` is the venue's time, in ms. */
export function createWalletUpdates(now: () => number): WalletUpdates {
  const latest = new Map<string, { balance: string; at: number }>()
  return {
    note: (balances, at) => {
      for (const [coin, balance] of balances) {
        if (at >= (latest.get(coin)?.at ?? 0)) latest.set(coin, { balance, at })
      }
    },
    isShown: (balances) =>
      [...latest].every(([coin, { balance, at }]) => {
        const apart = absolute(subtract(balances.get(coin) ?? '0', balance))
        return now() - at > latestReadingMs || !isGreater(apart, slack)
      }),
    forget: () => latest.clear(),
  }
}
