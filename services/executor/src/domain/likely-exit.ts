import type { Command } from '@tripline/proto/alert-tree'
import { onlyExits } from '@tripline/proto/exit'
import type { Market } from './market.ts'
import type { Side } from './side.ts'
import type { Sizing } from './sizing.ts'

/**
 * True for a command that shrinks what is held, or most likely does, by what shows before the account is looked at:
 * its words, and on which side its bot last entered the market.
 */
export function isLikelyExit(command: Command, market: Market, lastEntry: Side | undefined): boolean {
  switch (command.type) {
    case 'market':
    case 'limit':
    case 'stopOrder':
    case 'stopOrTakeProfit':
      return onlyExits(command, market.kind) || leadsOut(command, market, lastEntry)
    case 'oneCancelsOther':
      return command.legs.every((leg) => isLikelyExit(leg, market, lastEntry))
    case 'cancel':
      return true
    default:
      return false
  }
}

function leadsOut(
  { side, amount, position }: Sizing,
  { kind }: Market,
  lastEntry: Side | undefined,
): boolean {
  if (position !== undefined || side === undefined) return false
  if (kind === 'spot') return side === 'sell'
  return amount?.basis === 'percentPosition' || (lastEntry !== undefined && side !== lastEntry)
}
