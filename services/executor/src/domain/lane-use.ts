import type { Command } from '@tripline/proto/alert-tree'
import { isZero } from '@tripline/proto/decimal'
import type { Market } from './market.ts'

/** True for a command that changes how the whole account trades, in all of its markets. */
export function isAccountWide(command: Command): boolean {
  return command.type === 'exchangeSettings' && (command.positionMode ?? command.marginMode) !== undefined
}

/** True for a command of which it is clear without a look that it opens nothing. */
export function onlyExits(command: Command, { kind }: Market): boolean {
  switch (command.type) {
    case 'cancel':
    case 'balance':
      return true
    case 'market':
    case 'limit':
    case 'stopOrder':
      return command.reduceOnly === true || (command.position !== undefined && isZero(command.position.value))
    case 'stopOrTakeProfit':
      return kind === 'linear' && command.reduceOnly !== false
    default:
      return false
  }
}
