import { randomFillSync } from 'node:crypto'
import type { AlertId } from '@tripline/proto/id'
import { decodeTime, encodeTime, monotonicFactory } from 'ulid'

// One draw from the system costs more than a whole id should, so randomness is drawn for some 250 ids at once.
const pool = new Uint8Array(4096)
let used = pool.length

const newUlid = monotonicFactory(randomFraction)

/** A new alert's id, greater than every earlier one of this process. */
export function newAlertId(receivedAt: number): AlertId {
  return newUlid(Math.trunc(receivedAt)) as AlertId
}

/** When the alert was first received, in whole ms. */
export function receivedAtOf(alertId: AlertId): number {
  return decodeTime(alertId)
}

function randomFraction(): number {
  if (used === pool.length) {
    randomFillSync(pool)
    used = 0
  }
  return (pool[used++] ?? 0) / 256
}

/** The lowest id that an alert of this moment may have. */
export function firstIdAt(moment: number): AlertId {
  return `${encodeTime(Math.trunc(moment), 10)}${'0'.repeat(16)}` as AlertId
}
