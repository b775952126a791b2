import { watchBucket } from '@tripline/kit/bucket'
import type { Bus } from '@tripline/kit/bus'
import type { BotId, UserId } from '@tripline/proto/id'
import { type BotConfig, SealedCredentials, UserConfig } from '@tripline/proto/user-config'

/** Every bot of every user, kept current from the bus. */
export interface BotDirectory {
  bot: (userId: UserId, botId: BotId) => BotConfig | undefined
  /** Users with their bots and what is sealed for each. */
  bots: () => IterableIterator<{ userId: UserId; bot: BotConfig; sealed: string }>
  /** Calls back on every change from now on. */
  onChange: (listener: () => void) => void
  stop: () => void
}

/** Follows configuration and credentials; answers once everything is known. */
export async function openBotDirectory(bus: Bus): Promise<BotDirectory> {
  const users = new Map<UserId, UserConfig>()
  const sealed = new Map<BotId, string>()
  const listeners: (() => void)[] = []
  const stopConfig = await watchBucket(bus, 'config', ({ key, text }) => {
    if (text === undefined) users.delete(key as UserId)
    else users.set(key as UserId, UserConfig.parse(JSON.parse(text)))
    for (const listener of listeners) listener()
  })
  const stopCredentials = await watchBucket(bus, 'credentials', ({ key, text }) => {
    if (text === undefined) sealed.delete(key as BotId)
    else sealed.set(key as BotId, SealedCredentials.parse(JSON.parse(text)).sealed)
    for (const listener of listeners) listener()
  })
  return {
    bot: (userId, botId) => users.get(userId)?.bots.find((bot) => bot.id === botId),
    *bots() {
      for (const { userId, bots } of users.values()) {
        for (const bot of bots) {
          const blob = sealed.get(bot.id)
          if (blob !== undefined) yield { userId, bot, sealed: blob }
        }
      }
    },
    onChange: (listener) => void listeners.push(listener),
    stop: () => {
      stopConfig()
      stopCredentials()
    },
  }
}
