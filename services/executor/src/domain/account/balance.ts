import type { Command } from '@tripline/proto/alert-tree'
import type { BalanceOutcome } from '@tripline/proto/command-result'
import { absolute, isNegative, isZero } from '@tripline/proto/decimal'
import type { Market } from '../order/market.ts'
import { type AccountReading, asRead } from './account.ts'

/** Returns the balance command's view of an account; undefined when it has nothing of the coin that is asked for. */
export function balanceOf(
  command: Extract<Command, { type: 'balance' }>,
  reading: AccountReading,
  market: Market,
): BalanceOutcome | undefined {
  const { equity, available, position, entryPrice, unrealizedPnl } = reading
  const coin = command.asset ?? reading.coin
  const holding = reading.holdings.find((candidate) => candidate.coin === coin)
  if (holding === undefined && coin !== reading.coin) return undefined
  const balance = holding ?? { coin, total: '0', free: '0' }
  const held = { side: sideOf(position), quantity: absolute(position), entry_price: entryPrice }
  return {
    balance,
    equity: asRead(equity),
    available: asRead(available),
    position: market.kind === 'spot' ? null : held,
    unrealized_pnl: unrealizedPnl,
  }
}

function sideOf(position: string): 'long' | 'short' | 'flat' {
  if (isZero(position)) return 'flat'
  return isNegative(position) ? 'short' : 'long'
}
