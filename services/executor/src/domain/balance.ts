import type { Command } from '@tripline/proto/alert-tree'
import type { BalanceOutcome } from '@tripline/proto/command-result'
import { absolute, isNegative, isZero } from '@tripline/proto/decimal'
import type { AccountReading } from './account.ts'

/** What the balance command shows of an account; undefined when another coin is asked for than the account's. */
export function balanceOf(
  command: Extract<Command, { type: 'balance' }>,
  reading: AccountReading,
): BalanceOutcome | undefined {
  if (command.asset !== undefined && command.asset !== reading.coin) return undefined
  const { coin, wallet, equity, available, position, entryPrice, unrealizedPnl } = reading
  return {
    balance: { coin, total: wallet, free: available },
    equity,
    available,
    position: { side: sideOf(position), quantity: absolute(position), entry_price: entryPrice },
    unrealized_pnl: unrealizedPnl,
  }
}

function sideOf(position: string): 'long' | 'short' | 'flat' {
  if (isZero(position)) return 'flat'
  return isNegative(position) ? 'short' : 'long'
}
