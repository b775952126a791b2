import type { Command } from '@tripline/proto/alert-tree'
import { onlyExits } from '@tripline/proto/exit'
import type { MarketCommand } from '@tripline/proto/language/tree'
import type { LastEntries } from '../account/last-entry.ts'
import type { Market } from '../order/market.ts'
import type { Sizing } from './sizing.ts'

/**
 * True for a command that shrinks what is held, or most likely does, by what shows before the account is looked at:
 * its words, and how its bot last entered the market.
 */
export function isLikelyExit(command: Command, market: Market, lastEntries: LastEntries): boolean {
  switch (command.type) {
    case 'market':
    case 'limit':
    case 'stopOrder':
    case 'stopOrTakeProfit':
      return onlyExits(command, market.kind) || leadsOut(command, market, lastEntries)
    case 'oneCancelsOther':
      return command.legs.every((leg) => isLikelyExit(leg, market, lastEntries))
    case 'cancel':
      return true
    default:
      return false
  }
}

function leadsOut(
  { side, amount, position, positionSide = 'both' }: Sizing & Pick<MarketCommand, 'positionSide'>,
  { kind }: Market,
  lastEntries: LastEntries,
): boolean {
  if (position !== undefined || side === undefined) return false
  if (kind === 'spot') return side === 'sell'
  const lastEntry = lastEntries[positionSide]
  return amount?.basis === 'percentPosition' || (lastEntry !== undefined && side !== lastEntry.side)
}
