import { absolute, isGreater, subtract } from '@tripline/proto/decimal'
import { latestReadingMs } from '../../domain/late-reading.ts'

/** What the private stream told of what coins an account has: a reading that shows anything else is older. */
export interface ToldWallets {
  /** Remembers what was told, and when that was so by the venue's clock, in ms. */
  note: (balances: ReadonlyMap<string, string>, at: number) => void
  /** True where a reading has what was told, as far as a reading may still lack it. */
  isShown: (balances: ReadonlyMap<string, string>) => boolean
  /** What comes now is not told. */
  forget: () => void
}

// As far as the venue's own numbers are rounded.
const slack = '0.00000001'

/** Nothing was told yet; `now` is the venue's time, in ms. */
export function createToldWallets(now: () => number): ToldWallets {
  const told = new Map<string, { balance: string; at: number }>()
  return {
    note: (balances, at) => {
      for (const [coin, balance] of balances) {
        if (at >= (told.get(coin)?.at ?? 0)) told.set(coin, { balance, at })
      }
    },
    isShown: (balances) =>
      [...told].every(([coin, { balance, at }]) => {
        const apart = absolute(subtract(balances.get(coin) ?? '0', balance))
        return now() - at > latestReadingMs || !isGreater(apart, slack)
      }),
    forget: () => told.clear(),
  }
}
