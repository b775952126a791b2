import type { AccountOrder, AccountPosition } from '@tripline/proto/account'
import type { KnownBot } from '@tripline/proto/language/label'
import { closeCommand } from './exit-commands.ts'

/** The parts of an account that exits are about. */
export interface BotHoldings {
  positions: readonly Pick<AccountPosition, 'symbol' | 'position_side'>[]
  orders: readonly Pick<AccountOrder, 'symbol'>[]
}

/** The most blocks that one message may have. */
export const mostBlocks = 20

/** The message that closes one position, and with it what was for that position. */
export function closeMessage(
  { label }: Pick<KnownBot, 'label'>,
  { symbol, position_side: side }: BotHoldings['positions'][number],
): string {
  return blockOf(label, symbol, [closing(side)])
}

/** The message that cancels one open order. */
export function cancelMessage(
  { label }: Pick<KnownBot, 'label'>,
  { symbol, exchange_order_id: id }: Pick<AccountOrder, 'symbol' | 'exchange_order_id'>,
): string {
  return blockOf(label, symbol, [`cancel(order=${id})`])
}

/** The message that closes every position and cancels every open order; undefined where there is neither. */
export function flattenMessage(bot: KnownBot, holdings: BotHoldings): string | undefined {
  return messageOf(flattenBlocks(bot, holdings))
}

/** The blocks that leave a bot flat and without orders, one for each symbol. */
export function flattenBlocks({ label, market }: KnownBot, holdings: BotHoldings): string[] {
  return openSymbols(holdings).map((symbol) => {
    const sides = holdings.positions.filter((position) => position.symbol === symbol)
    const closes = sides.map(({ position_side: side }) => closing(side))
    // On spot open orders lock what is to be sold; on futures the exit comes first.
    return blockOf(label, symbol, market === 'spot' ? ['cancel', ...closes] : [...closes, 'cancel'])
  })
}

/** The message of as many blocks as one takes; undefined where there are none. */
export function messageOf(blocks: readonly string[]): string | undefined {
  return blocks.length === 0 ? undefined : blocks.slice(0, mostBlocks).join('\n')
}

/** The symbols with a position or an open order. */
export function openSymbols({ positions, orders }: BotHoldings): string[] {
  return [...new Set([...positions, ...orders].map(({ symbol }) => symbol))]
}

function closing(side: AccountPosition['position_side']): string {
  return side === 'both' ? closeCommand : `market(position=0, positionSide=${side})`
}

function blockOf(label: string, symbol: string, commands: readonly string[]): string {
  return `${label}(${symbol}) { ${commands.join('; ')} }`
}
