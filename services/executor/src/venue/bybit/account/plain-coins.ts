import { absolute, isLess, subtract } from '@tripline/proto/decimal'
import type { Coin } from './linear-rows.ts'

/** Which coins are worth what the wallet has of them and what linear positions have won. */
export interface PlainCoins {
  /** Takes in what was reported on some of them. */
  note: (coins: readonly Coin[]) => void
  /** Answers what takes in the answer to a question that is asked now, unless something was reported meanwhile. */
  asking: () => (coins: readonly Coin[]) => void
  has: (coin: string) => boolean
}

// Coins in which the profit of positions is paid out every eight hours, and begins anew from another price than their
// entry.
const settledDaily: readonly string[] = ['USDC']
// As far as the venue's own numbers are rounded.
const slack = '0.0001'

/** Nothing is known of any coin. */
export function createPlainCoins(): PlainCoins {
  const plain = new Map<string, boolean>()
  let publisher = 0
  const note = (coins: readonly Coin[]): void => {
    publisher++
    for (const one of coins) plain.set(one.coin, isPlain(one))
  }
  return {
    note,
    asking: () => {
      const before = publisher
      return (coins) => {
        if (publisher === before) note(coins)
      }
    },
    has: (coin) => plain.get(coin) === true && !settledDaily.includes(coin),
  }
}

/** False where options, or what was borrowed, are part of what the coin is worth. */
function isPlain({ equity, walletBalance, unrealisedPnl }: Coin): boolean {
  return isLess(absolute(subtract(subtract(equity, walletBalance), unrealisedPnl)), slack)
}
