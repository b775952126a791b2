import type { BotId } from '@tripline/proto/id'
import type { RecordSubject } from '../store/record-store.ts'

/** A symbol of a bot, in which orders are watched. */
export interface BotSymbol {
  botId: BotId
  symbol: string
}

/** Returns a watch's name among the others: the command that it is of. */
export function keyOf({ executionId, command }: Pick<RecordSubject, 'executionId' | 'command'>): string {
  return `${executionId}.${command}`
}

/** Returns the name of a symbol of a bot among the others. */
export function botSymbolKeyOf({ botId, symbol }: BotSymbol): string {
  return `${botId} ${symbol}`
}
