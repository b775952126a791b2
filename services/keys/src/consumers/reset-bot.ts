import { sendRequest, serve } from '@tripline/kit/bus/request'
import { RefusedError } from '@tripline/kit/refused-error'
import { resetPaperAccount } from '@tripline/proto/executor-request'
import { resetBot } from '@tripline/proto/key-request'
import type { Deps } from '../deps.ts'
import { refuseUnknownBot } from '../refuse.ts'
import { findBotWithSecret } from '../store/bot.ts'

// Less than the caller waits.
const resetPatienceMs = 2500

/** Serves `keys.bot.reset`. */
export function serveResetBot({ bus, db }: Deps): () => void {
  return serve(bus, resetBot, async ({ userId, botId }) => {
    const bot = (await findBotWithSecret(db, userId, botId)) ?? refuseUnknownBot()
    if (bot.exchange !== 'paper') {
      throw new RefusedError('conflict', 'Only a Paper account can be reset')
    }
    const { isTestnet, sealed } = bot
    return await sendRequest(
      bus,
      resetPaperAccount,
      { userId, botId, isTestnet, sealed },
      { timeoutMs: resetPatienceMs },
    )
  })
}
