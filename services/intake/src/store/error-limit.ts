import { expiringMap } from '@tripline/kit/time/expiring-map'
import { windowMs } from '../domain/sliding-window.ts'
import type { RateLimit } from './rate-limit.ts'

const localKeys = 20_000

/** Limits how many requests of a token are read in a minute that are refused in the end. */
export interface ErrorLimit {
  /** False where nothing has to be looked up: there is no token whose requests are not read. */
  isAnyShut: (now: number) => boolean
  /** For how many ms requests under this key are not read; 0 where they are. */
  waitMs: (key: string, now: number) => number
  /** Counts one that was read and refused, later and without anybody waiting for it. */
  count: (key: string, now: number) => void
}

/** A limit over all replicas; while Redis is away each counts alone. */
export function openErrorLimit(rateLimit: RateLimit, perMinute: number): ErrorLimit {
  const shutUntil = expiringMap<number>(windowMs, localKeys)
  let lastShutUntil = 0
  return {
    isAnyShut: (now) => lastShutUntil > now,
    waitMs: (key, now) => Math.max(0, (shutUntil.get(key, now) ?? 0) - now),
    count: (key, now) => {
      void rateLimit.admit(`errors:${key}`, perMinute, now).then((waitMs) => {
        if (waitMs === 0) return
        shutUntil.set(key, now + waitMs, now)
        lastShutUntil = Math.max(lastShutUntil, now + waitMs)
      })
    },
  }
}
