import { watchBucket } from '@tripline/kit/bus/bucket'
import type { Bus } from '@tripline/kit/bus/bus'
import type { BotId, UserId } from '@tripline/proto/id'
import { type BotConfig, SealedCredentials, StoredUserConfig } from '@tripline/proto/user-config'
import { readStoredJson } from './stored-json.ts'

/** A bot, and what is sealed for it. */
interface DirectoryBot {
  userId: UserId
  bot: BotConfig
  sealed: string
}

/** Every bot of every user, updated from the bus. */
export interface BotDirectory {
  bot: (userId: UserId, botId: BotId) => BotConfig | undefined
  /** True also of a bot whose settings a newer version wrote: it is not served, and yet it is there. */
  isLinked: (userId: UserId, botId: BotId) => boolean
  /** Users with their bots and what is sealed for each. */
  bots: () => IterableIterator<DirectoryBot>
  /** The same of one user. */
  botsOf: (userId: UserId) => DirectoryBot[]
  /** Calls back with the user of whom something changes, from now on. */
  onChange: (listener: (userId: UserId) => void) => void
  stop: () => void
}

/** Follows configuration and credentials; returns once everything is known. */
export async function openBotDirectory(bus: Bus): Promise<BotDirectory> {
  const users = new Map<UserId, StoredUserConfig>()
  const unreadable = new Set<UserId>()
  const credentials = new Map<BotId, SealedCredentials>()
  const listeners: ((userId: UserId) => void)[] = []
  const notifyListeners = (userId: UserId): void => {
    for (const listener of listeners) listener(userId)
  }
  const stopConfig = await watchBucket(bus, 'config', ({ key, text }) => {
    const userId = key as UserId
    users.delete(userId)
    unreadable.delete(userId)
    const read = text === undefined ? undefined : readStoredJson(bus, StoredUserConfig, key, text)
    if (read !== undefined) users.set(userId, read)
    else if (text !== undefined) unreadable.add(userId)
    for (const bot of read?.unreadable ?? [])
      bus.log.error({ userId, botId: bot.id }, 'bot not readable, unserved')
    notifyListeners(userId)
  })
  const stopCredentials = await watchBucket(bus, 'credentials', ({ key, text }) => {
    const before = credentials.get(key as BotId)
    credentials.delete(key as BotId)
    const read = text === undefined ? undefined : readStoredJson(bus, SealedCredentials, key, text)
    if (read !== undefined) credentials.set(key as BotId, read)
    const userId = (read ?? before)?.userId
    if (userId !== undefined) notifyListeners(userId)
  })
  const botsOf = (userId: UserId): DirectoryBot[] =>
    (users.get(userId)?.config.bots ?? []).flatMap((bot) => {
      const sealed = credentials.get(bot.id)?.sealed
      return sealed === undefined ? [] : [{ userId, bot, sealed }]
    })
  return {
    bot: (userId, botId) => users.get(userId)?.config.bots.find((bot) => bot.id === botId),
    isLinked: (userId, botId) => {
      const { config, unreadable: others } = users.get(userId) ?? {}
      return (
        unreadable.has(userId) || [...(config?.bots ?? []), ...(others ?? [])].some(({ id }) => id === botId)
      )
    },
    *bots() {
      for (const userId of users.keys()) yield* botsOf(userId)
    },
    botsOf,
    onChange: (listener) => void listeners.push(listener),
    stop: () => {
      stopConfig()
      stopCredentials()
    },
  }
}
