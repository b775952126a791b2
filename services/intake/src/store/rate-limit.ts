import { waitBefore, windowMs } from '../domain/sliding-window.ts'
import { expiringMap } from './expiring-map.ts'
import type { PatientRedis } from './patient-redis.ts'
import { redisScript } from './redis-script.ts'

// The list holds when the last ones were admitted, newest first; a later, higher limit may look further back than
// this one, so more is kept than it needs.
const slide = redisScript(`
local limit, now, window, kept = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local deciding = redis.call('LINDEX', KEYS[1], limit - 1)
if deciding then
  local wait = tonumber(deciding) + window - now
  if wait > 0 then return wait end
end
redis.call('LPUSH', KEYS[1], ARGV[2])
redis.call('LTRIM', KEYS[1], 0, kept - 1)
redis.call('PEXPIRE', KEYS[1], window)
return 0
`)

const highestWebhookLimit = 60
const localKeys = 20_000

/** Counts what is admitted under a key in the last 60 s. */
export interface RateLimit {
  /** 0 when it is admitted, and then counted; else how many ms to wait. */
  admit: (key: string, limit: number, now: number) => Promise<number>
}

/** Limits counted in Redis for all replicas, and in this process alone while Redis is away. */
export function openRateLimit(redis: PatientRedis): RateLimit {
  const local = expiringMap<number[]>(windowMs, localKeys)
  return {
    admit: async (key, limit, now) => {
      const at = Math.trunc(now)
      const kept = Math.max(limit, highestWebhookLimit)
      const told = await redis.ask(
        async (connection) => await slide(connection, `rate:${key}`, limit, at, windowMs, kept),
      )
      const times = local.get(key, at) ?? []
      const waitMs = typeof told === 'number' ? told : waitBefore(times, limit, at)
      if (waitMs === 0) local.set(key, [at, ...times.slice(0, kept - 1)], at)
      return waitMs
    },
  }
}
