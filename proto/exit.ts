import { isZero } from './decimal.ts'
import type { Command } from './language/tree.ts'

/** True for a command of which its words alone make clear that it opens nothing on a market of this kind. */
export function onlyExits(command: Command, market: 'linear' | 'spot'): boolean {
  switch (command.type) {
    case 'cancel':
    case 'balance':
      return true
    case 'market':
    case 'limit':
    case 'stopOrder':
      return command.reduceOnly === true || (command.position !== undefined && isZero(command.position.value))
    case 'stopOrTakeProfit':
      return market === 'linear' && command.reduceOnly !== false
    default:
      return false
  }
}
