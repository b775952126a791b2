import { type Bucket, openBucket, readBucket } from '@tripline/kit/bus/bucket'
import type { Bus } from '@tripline/kit/bus/bus'
import { now } from '@tripline/kit/time/clock'
import type { EntryNote } from '@tripline/proto/entry-note'
import type { BotId, UserId } from '@tripline/proto/id'
import { partitionOf } from '@tripline/proto/subject'
import { z } from 'zod'
import { type CommandName, EntriesBySide, noted, withoutOver } from '../domain/account/entry.ts'
import type { Hold } from '../domain/sharing/lease.ts'
import { createSetsByKey, type SetsByKey } from '../sets-by-key.ts'
import { readStoredJson } from './stored-json.ts'
import { untilStored } from './until-stored.ts'

/** Time for which writes wait, so that they do not delay the orders that they report, and several of a bot are one. */
const gatherMs = 20
/** Time for which an ended entry stays: as long as the alert that ended it may come again. */
const keepOverMs = 25 * 3_600_000

/** Form of a bot's entries in the bucket, by symbol. */
export const StoredEntries = z.record(z.string(), EntriesBySide)
/** The same of a version before: the last side of each symbol. */
export const Sides = z.record(z.string(), z.enum(['buy', 'sell']))

/** A bot's symbol. */
interface EntrySubject {
  userId: UserId
  botId: BotId
  symbol: string
}

/** The entries of each bot in each symbol; stored in the bucket `progress`, so that a successor reads them too. */
export interface EntryStore {
  /** The entries of a symbol, once the stored entries of its user have been read. */
  read: (place: EntrySubject) => Promise<EntriesBySide>
  /** The same without waiting for that; undefined as long as it has not been read. */
  readNow: (place: EntrySubject) => EntriesBySide | undefined
  /** Counts from now on, and is written soon. */
  note: (place: EntrySubject, by: CommandName, note: EntryNote) => void
  /** Settles once everything noted of the user's bots so far is stored. */
  stored: (userId: UserId) => Promise<void>
  /** Reads the stored entries of users of these partitions. */
  claim: (partitions: ReadonlySet<number>) => Promise<void>
  /** Forgets what belongs to a partition that is left. */
  leave: (partition: number) => void
}

interface BotEntries {
  key: string
  partition: number
  symbols: Map<string, EntriesBySide>
  /** Their user; absent as long as nothing was noted since they were read. */
  userId?: UserId
  isUnstored: boolean
  due: NodeJS.Timeout | undefined
  storing: Promise<void> | undefined
}

/** A partition whose users' entries are read, or were; entries that are noted meanwhile count behind that. */
interface Claim {
  read: PromiseWithResolvers<void>
  isRead: boolean
  waiting: (() => void)[]
}

interface EntryStoreState {
  bus: Bus
  bucket: Bucket
  holdOf: (userId: UserId) => Hold
  bots: Map<BotId, BotEntries>
  /** Bots of each user of which something is not stored yet: an alert's end looks at no other user's. */
  unstored: SetsByKey<UserId, BotEntries>
  claims: Map<number, Claim>
}

/** Opens the entries; none is known before the first claim. Nothing is written for a user whose lease is not held. */
export async function openEntryStore(bus: Bus, holdOf: (userId: UserId) => Hold): Promise<EntryStore> {
  const bucket = await openBucket(bus, 'progress')
  const unstored: EntryStoreState['unstored'] = createSetsByKey()
  const state: EntryStoreState = { bus, bucket, holdOf, bots: new Map(), unstored, claims: new Map() }
  const claimOf = (userId: UserId): Claim | undefined => state.claims.get(partitionOf(userId))
  return {
    read: async (place) => {
      await claimOf(place.userId)?.read.promise
      return entriesOf(state, place)
    },
    readNow: (place) => (claimOf(place.userId)?.isRead === false ? undefined : entriesOf(state, place)),
    note: (place, by, note) => {
      const claim = claimOf(place.userId)
      const count = (): void => take(state, place, by, note)
      if (claim?.isRead === false) claim.waiting.push(count)
      else count()
    },
    stored: async (userId) => {
      await claimOf(userId)?.read.promise
      await Promise.all([...unstored.of(userId)].map(async (bot) => await store(state, bot)))
    },
    claim: async (partitions) => await claim(state, partitions),
    leave: (partition) => {
      state.claims.delete(partition)
      for (const [botId, bot] of state.bots) {
        // Waiters for what is unstored are to receive its failure, so that their alert stays in the stream.
        if (bot.partition === partition && !bot.isUnstored) state.bots.delete(botId)
      }
    },
  }
}

function entriesOf({ bots }: EntryStoreState, { botId, symbol }: EntrySubject): EntriesBySide {
  return bots.get(botId)?.symbols.get(symbol) ?? {}
}

function take(
  state: EntryStoreState,
  { userId, botId, symbol }: EntrySubject,
  by: CommandName,
  note: EntryNote,
): void {
  const bot = state.bots.get(botId) ?? newBot(partitionOf(userId), botId)
  state.bots.set(botId, bot)
  bot.userId = userId
  const before = bot.symbols.get(symbol) ?? {}
  const after = noted(before, by, note)
  if (after === before) return
  bot.symbols.set(symbol, withoutOver(after, now() - keepOverMs))
  bot.isUnstored = true
  state.unstored.add(userId, bot)
  bot.due ??= setTimeout(() => {
    // Waiters for it receive its failure.
    store(state, bot).catch(() => undefined)
  }, gatherMs)
}

function newBot(partition: number, botId: string): BotEntries {
  const key = `${partition}.entered.${botId}`
  return { key, partition, symbols: new Map(), isUnstored: false, due: undefined, storing: undefined }
}

async function store(state: EntryStoreState, bot: BotEntries): Promise<void> {
  clearTimeout(bot.due)
  bot.due = undefined
  while (bot.isUnstored || bot.storing !== undefined) {
    bot.storing ??= put(state, bot).finally(() => {
      bot.storing = undefined
    })
    await bot.storing
  }
  if (bot.userId !== undefined) state.unstored.delete(bot.userId, bot)
}

async function put({ bus, bucket, holdOf }: EntryStoreState, bot: BotEntries): Promise<void> {
  const { userId, key, symbols } = bot
  if (userId === undefined) return
  const act = async (): Promise<void> => {
    bot.isUnstored = false
    try {
      await bucket.put(key, JSON.stringify(Object.fromEntries(symbols)))
    } catch (error) {
      bot.isUnstored = true
      throw error
    }
  }
  await untilStored(bus, () => holdOf(userId), act, key)
}

async function claim(state: EntryStoreState, partitions: ReadonlySet<number>): Promise<void> {
  const unread = [...partitions].filter((partition) => state.claims.get(partition)?.isRead !== true)
  for (const partition of unread) {
    const known = state.claims.get(partition)
    const made = known ?? { read: Promise.withResolvers<void>(), isRead: false, waiting: [] }
    state.claims.set(partition, made)
  }
  const found = (await readBucket(state.bus, 'progress')).flatMap(({ key, text }) => {
    const [, partition, kind, botId = ''] = keyPattern.exec(key) ?? []
    if (text === undefined || !unread.includes(Number(partition))) return []
    return [{ key, text, partition: Number(partition), botId, isOld: kind === 'entries' }]
  })
  // Entries of a version before count where there is nothing newer.
  for (const { key, text, partition, botId, isOld } of found.toSorted(
    (one, other) => Number(other.isOld) - Number(one.isOld),
  )) {
    const read = isOld ? sidesIn(state.bus, key, text) : readStoredJson(state.bus, StoredEntries, key, text)
    if (read === undefined) continue
    const symbols = new Map(Object.entries(read))
    state.bots.set(botId as BotId, { ...newBot(partition, botId), symbols })
  }
  for (const partition of unread) finish(state.claims.get(partition))
}

const keyPattern = /^(\d+)\.(entries|entered)\.(.+)$/

function sidesIn(bus: Bus, key: string, text: string): z.infer<typeof StoredEntries> | undefined {
  const sides = readStoredJson(bus, Sides, key, text)
  if (sides === undefined) return undefined
  return Object.fromEntries(
    Object.entries(sides).map(([symbol, side]) => [symbol, { both: [{ side, at: 0 }] }]),
  )
}

function finish(claim: Claim | undefined): void {
  if (claim === undefined) return
  claim.isRead = true
  for (const count of claim.waiting.splice(0)) count()
  claim.read.resolve()
}
