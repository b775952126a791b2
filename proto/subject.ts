import { fnv1a } from './fnv1a.ts'
import type { AlertId, BotId, UserId } from './id.ts'

/** The number of partitions that users are spread over; it never changes, and neither does a user's partition. */
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

/** Returns the subject of an alert's result, published once, for the one who still waits for it. */
export function resultSubject(alertId: AlertId): string {
  return `result.${alertId}`
}

/** Subject on which the gateway publishes, once or twice, whether a caller got the answer to an alert. */
export const answerDeliveredSubject = 'answer.delivered'

/** Subject on which an intake that begins asks the gateways to publish their last deliveries again. */
export const deliveriesAskedSubject = 'answer.asked'

/** Subject on which an executor publishes, ten times a second, that new alerts wait in it. */
export const alertsDelayedSubject = 'alerts.delayed'

/** The subject on which auth publishes, once, that a session has ended. */
export const sessionEndedSubject = 'session.ended'

/** Below this the server publishes again what a stream (by its name) or a bucket stored, with its sequence. */
export function storedPrefix(name: StreamName | BucketName): string {
  return `stored.${name}`
}

const dayMs = 86_400_000
const mebibyte = 1024 ** 2

/**
 * Every stream, as it is created and as services compare it at start. Durations are in ms. `maxBytes` is its own room
 * on each server, which no other stream or bucket can take; together they are less than 16 GiB. A full ALERTS refuses,
 * and a full EVENTS lets the oldest go: it must not hold up alerts whose events are to come.
 */
export const streams = {
  ALERTS: {
    subjects: ['alert.*.*'],
    discard: 'new',
    maxAgeMs: 0,
    maxMessagesPerSubject: 500,
    maxBytes: 3072 * mebibyte,
    discardNewPerSubject: true,
    duplicateWindowMs: 120_000,
  },
  EVENTS: {
    subjects: ['event.*.*'],
    discard: 'old',
    maxAgeMs: 30 * dayMs,
    maxMessagesPerSubject: -1,
    maxBytes: 7808 * mebibyte,
    discardNewPerSubject: false,
    duplicateWindowMs: 120_000,
  },
} as const
export type StreamName = keyof typeof streams

/** Every key-value bucket, what its keys are, and its room; what is older than its age, if it has one, is gone. Durations in ms. */
export const buckets = {
  /** partition -> who owns it */
  leases: { history: 1, maxAgeMs: 0, maxBytes: 32 * mebibyte },
  /** executor instance -> when it was last seen; only for balancing */
  members: { history: 1, maxAgeMs: 120_000, maxBytes: 32 * mebibyte },
  /** `<partition>.<alert id>` -> how far an unfinished alert has come; `<partition>.entries.<bot>` -> its last sides */
  progress: { history: 1, maxAgeMs: 0, maxBytes: 384 * mebibyte },
  /** `<partition>.<alert id>.<command>` -> the legs an OCO watches */
  watches: { history: 1, maxAgeMs: 0, maxBytes: 256 * mebibyte },
  /** user id -> webhook and bots, the whole state */
  config: { history: 1, maxAgeMs: 0, maxBytes: 512 * mebibyte },
  /** bot id -> the sealed credentials */
  credentials: { history: 1, maxAgeMs: 0, maxBytes: 512 * mebibyte },
  /** `<user id>.<hash>` of an id that an alert gave itself -> the alert that had it first */
  ids: { history: 1, maxAgeMs: dayMs, maxBytes: 512 * mebibyte },
  /** user id -> where notifications go and which are wanted */
  notifications: { history: 1, maxAgeMs: 0, maxBytes: 128 * mebibyte },
} as const
export type BucketName = keyof typeof buckets

/** Every durable consumer, as setup makes it: its stream, to where it delivers, and who had its place before. */
export const durables = {
  'to-history': { stream: 'EVENTS', deliverTo: 'deliver.history', former: 'history' },
  'to-notifier': { stream: 'EVENTS', deliverTo: 'deliver.notifier', former: 'notifier' },
} as const satisfies Record<string, { stream: StreamName; deliverTo: string; former: string }>
export type DurableName = keyof typeof durables
