import type { Command } from '@tripline/proto/alert-tree'
import type { Market } from './market.ts'

/** Why a block cannot be run here, found before anything of its alert runs. */
export interface Finding {
  code: 'E401' | 'E402' | 'E403' | 'E404' | 'E405' | 'E516'
  message: string
  /** Which command of the block it is about; absent where it is the block itself. */
  command?: number
}

/** What is known, without asking anyone, of where a block is to run. */
export interface Surroundings {
  symbol: string
  market: Market | undefined
  nearestSymbol: string | undefined
}

const runnable: ReadonlySet<Command['type']> = new Set(['market', 'balance'])

/** Everything that keeps these commands from running on this market; empty when nothing does. */
export function checkBlock(
  commands: readonly Command[],
  { symbol, market, nearestSymbol }: Surroundings,
): Finding[] {
  if (market === undefined) {
    const hint = nearestSymbol === undefined ? '' : ` Did you mean ${nearestSymbol}?`
    return [{ code: 'E401', message: `${symbol} is not listed on this market.${hint}` }]
  }
  if (!market.isTrading) return [{ code: 'E402', message: `${symbol} is not trading now` }]
  return commands.flatMap((command, index) => {
    const finding = checkCommand(command)
    return finding === undefined ? [] : [{ ...finding, command: index }]
  })
}

function checkCommand(command: Command): Finding | undefined {
  if (!runnable.has(command.type)) {
    return { code: 'E404', message: `${command.type} is not available on this market` }
  }
  if (command.type === 'market' && command.positionSide !== undefined && command.positionSide !== 'both') {
    const message = 'positionSide needs an account in hedge mode, this one is in one-way mode'
    return { code: 'E405', message }
  }
  return undefined
}
