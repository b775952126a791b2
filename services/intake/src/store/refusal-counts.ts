import type { AlertId, UserId } from '@tripline/proto/id'
import { newAlertId } from '../alert-id.ts'
import { countedText, type Refusal } from '../domain/refusal.ts'
import { type RefusedEvent, refusedEvent } from '../domain/refused-event.ts'

const minuteMs = 60_000

/** Counts what limits refuse: one event a minute, user and limit, however many there are. */
export interface RefusalCounts {
  /** Counts one; returns the id of the row in which it is counted. */
  count: (userId: UserId, refusal: Refusal, at: number) => AlertId
  /** Records at once what has been counted and not recorded. */
  recordAll: () => void
}

/** Alerts of one user that one limit refuses, from the first one until a minute without any. */
interface Series {
  userId: UserId
  refusal: Refusal
  /** Counted and not recorded. */
  counted: { alertId: AlertId; count: number; since: number } | undefined
}

/** Records the first one of a series at once, and the number of all others each minute. */
export function openRefusalCounts(record: (event: RefusedEvent) => void, clock: () => number): RefusalCounts {
  const series = new Map<string, Series>()
  const recordCounted = (one: Series): boolean => {
    const { userId, refusal, counted } = one
    if (counted === undefined) return false
    const { alertId, count, since: receivedAt } = counted
    one.counted = undefined
    const text = countedText(count, refusal.limit ?? '')
    const alert = { alertId, userId, message: '', receivedAt, bot: undefined }
    record(refusedEvent(alert, { errorCode: refusal.errorCode, text }, clock()))
    return true
  }
  const goOn = (key: string, one: Series): void => {
    setTimeout(() => {
      if (recordCounted(one)) goOn(key, one)
      else series.delete(key)
    }, minuteMs).unref()
  }
  const add = (one: Series, at: number): AlertId => {
    one.counted ??= { alertId: newAlertId(at), count: 0, since: at }
    one.counted.count++
    return one.counted.alertId
  }
  return {
    count: (userId, refusal, at) => {
      const key = `${userId} ${refusal.limit}`
      const known = series.get(key)
      if (known !== undefined) return add(known, at)
      const one: Series = { userId, refusal, counted: undefined }
      series.set(key, one)
      const alertId = add(one, at)
      recordCounted(one)
      goOn(key, one)
      return alertId
    },
    recordAll: () => {
      for (const one of series.values()) recordCounted(one)
    },
  }
}
