import type { AlertBlock } from '@tripline/proto/alert'
import type { UserId } from '@tripline/proto/id'
import type { BotLimits } from '../domain/account/permit.ts'
import type { BotDirectory } from '../store/bot-directory.ts'

/** Returns limits of the block's bot; one that was unlinked meanwhile trades no more. */
export function limitsIn(directory: BotDirectory, userId: UserId, block: AlertBlock): BotLimits {
  const bot = directory.bot(userId, block.botId)
  return {
    tradingState: bot?.tradingState ?? 'halted',
    maxEntryAgeMs: (bot?.maxEntryAgeS ?? 0) * 1000,
    exitRetryMs: (bot?.exitRetryS ?? 0) * 1000,
    maxOrderValue: bot?.maxOrderValue,
  }
}
