import type { BotId, UserId } from '@tripline/proto/id'
import { createSetsByKey } from '../sets-by-key.ts'
import type { RecordSubject } from '../store/record-store.ts'
import { type BotSymbol, botSymbolKeyOf, keyOf } from './key.ts'

/** Watches by what they are of: a lookup costs what it finds, however many there are of other users and bots. */
export interface RunningByBot<Run> {
  all: () => Iterable<Run>
  ofBot: (botId: BotId) => Iterable<Run>
  at: (place: BotSymbol) => Iterable<Run>
  /** The bots that have any. */
  bots: () => Iterable<BotId>
}

/** The watches that run. */
export interface Running<Run> extends RunningByBot<Run> {
  add: (run: Run) => void
  delete: (run: Run) => void
  /** The one of this name. */
  get: (key: string) => Run | undefined
  countOf: (userId: UserId) => number
  ofUser: (userId: UserId) => Iterable<Run>
  /** The users who have any. */
  users: () => Iterable<UserId>
}

/** Nothing is watched. */
export function createRunning<Run extends { subject: RecordSubject }>(): Running<Run> {
  const byKey = new Map<string, Run>()
  const byUser = createSetsByKey<UserId, Run>()
  const byBot = createSetsByKey<BotId, Run>()
  const byPlace = createSetsByKey<string, Run>()
  return {
    add: (run) => {
      const { subject } = run
      byKey.set(keyOf(subject), run)
      byUser.add(subject.userId, run)
      byBot.add(subject.botId, run)
      byPlace.add(botSymbolKeyOf(subject), run)
    },
    delete: (run) => {
      const { subject } = run
      byKey.delete(keyOf(subject))
      byUser.delete(subject.userId, run)
      byBot.delete(subject.botId, run)
      byPlace.delete(botSymbolKeyOf(subject), run)
    },
    get: (key) => byKey.get(key),
    all: () => byKey.values(),
    countOf: (userId) => byUser.of(userId).size,
    ofUser: byUser.of,
    ofBot: byBot.of,
    at: (place) => byPlace.of(botSymbolKeyOf(place)),
    users: byUser.keys,
    bots: byBot.keys,
  }
}
