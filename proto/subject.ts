import { fnv1a } from './fnv1a.ts'
import type { AlertId, BotId, UserId } from './id.ts'

/** How many partitions users are spread over, for ever: a user's partition never changes. */
export const partitionCount = 64

/** The partition of a user: FNV-1a of the id, modulo 64. */
export function partitionOf(userId: UserId): number {
  return fnv1a(userId) % partitionCount
}

/** The subject of a user's alerts. */
export function alertSubject(userId: UserId): string {
  return `alert.${partitionOf(userId)}.${userId}`
}

/** The filter for all alerts of a partition. */
export function alertFilter(partition: number): string {
  return `alert.${partition}.*`
}

/** The subject of what happened to a bot; `-` where no bot is known. */
export function eventSubject(userId: UserId, botId: BotId | null): string {
  return `event.${userId}.${botId ?? '-'}`
}

/** The filter for all events of a user. */
export function eventFilter(userId: UserId): string {
  return `event.${userId}.*`
}

/** Where an alert's result is told, once, to whoever still waits for it. */
export function resultSubject(alertId: AlertId): string {
  return `result.${alertId}`
}

/** Where auth tells, once, that a session has ended. */
export const sessionEndedSubject = 'session.ended'

const dayMs = 86_400_000

/** Every stream, as it is created and as services compare it at start. Durations are in ms. */
export const streams = {
  ALERTS: {
    subjects: ['alert.*.*'],
    discard: 'new',
    maxAgeMs: 0,
    maxMessagesPerSubject: 500,
    discardNewPerSubject: true,
    duplicateWindowMs: 120_000,
  },
  EVENTS: {
    subjects: ['event.*.*'],
    discard: 'old',
    maxAgeMs: 30 * dayMs,
    maxMessagesPerSubject: -1,
    discardNewPerSubject: false,
    duplicateWindowMs: 120_000,
  },
} as const
export type StreamName = keyof typeof streams

/** Every key-value bucket and what its keys are; what is older than its age, if it has one, is gone. Durations in ms. */
export const buckets = {
  /** partition -> who owns it */
  leases: { history: 1, maxAgeMs: 0 },
  /** executor instance -> when it was last seen; only for balancing */
  members: { history: 1, maxAgeMs: 120_000 },
  /** `<partition>.<alert id>` -> how far an unfinished alert has come; `<partition>.entries.<bot>` -> its last sides */
  progress: { history: 1, maxAgeMs: 0 },
  /** `<partition>.<alert id>.<command>` -> the legs an OCO watches */
  watches: { history: 1, maxAgeMs: 0 },
  /** user id -> webhook and bots, the whole state */
  config: { history: 1, maxAgeMs: 0 },
  /** bot id -> the sealed credentials */
  credentials: { history: 1, maxAgeMs: 0 },
  /** user id -> where notifications go and which are wanted */
  notifications: { history: 1, maxAgeMs: 0 },
} as const
export type BucketName = keyof typeof buckets
