import { isZero } from './decimal.ts'
import type { Command, MarketCommand } from './language/tree.ts'

/** True for a command of which its words alone make clear that it opens nothing on a market of this kind. */
export function onlyExits(command: Command, market: 'linear' | 'spot'): boolean {
  switch (command.type) {
    case 'cancel':
    case 'balance':
      return true
    case 'market':
    case 'limit':
    case 'stopOrder':
      return (
        (command.reduceOnly === true && !addsToItsSide(command)) ||
        (command.position !== undefined && isZero(command.position.value))
      )
    case 'stopOrTakeProfit':
      return market === 'linear' && command.reduceOnly !== false && !addsToItsSide(command)
    default:
      return false
  }
}

/** True for an order that adds to the side of the position that it names: where both are held apart, no venue takes it reduce-only. */
export function addsToItsSide({ side, positionSide }: Pick<MarketCommand, 'side' | 'positionSide'>): boolean {
  return (positionSide === 'long' && side === 'buy') || (positionSide === 'short' && side === 'sell')
}

/** The longest sum of waits of a block that is an exit: a longer one is a plan for later. */
const shortWaitMs = 60_000

/** The commands of one block, and the kind of market that they are for. */
interface MarketBlock {
  commands: readonly Command[]
  market: 'linear' | 'spot'
}

/**
 * True for a message that closes, cancels or protects something and, by its words, opens nothing; in between it may wait
 * shortly.
 */
export function isExitMessage(blocks: readonly MarketBlock[]): boolean {
  const commands = blocks.flatMap((block) => block.commands)
  return commands.some(({ type }) => type !== 'balance' && type !== 'wait') && blocks.every(isExitBlock)
}

function isExitBlock({ commands, market }: MarketBlock): boolean {
  const waits = commands.map((command) => (command.type === 'wait' ? command.durationMs : 0))
  const waitedMs = waits.reduce((total, each) => total + each, 0)
  return waitedMs <= shortWaitMs && commands.every((command) => isInExit(command, market))
}

function isInExit(command: Command, market: 'linear' | 'spot'): boolean {
  switch (command.type) {
    case 'wait':
      return true
    case 'oneCancelsOther':
      return command.legs.every((leg) => onlyExits(leg, market))
    default:
      return onlyExits(command, market)
  }
}
