import { expiringMap } from '@tripline/kit/time/expiring-map'
import { countWithin, waitBefore, windowMs } from '../domain/sliding-window.ts'
import type { PatientRedis } from './patient-redis.ts'
import { redisScript, runScript, type ScriptCall } from './redis-script.ts'

// The list holds when the last ones were admitted, newest first; a later, higher limit may look further back than this
// one, so more is stored than it needs. Alerts that a replica has admitted already are counted in any case.
const slide = redisScript(`
local limit, now, window, kept, half = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4], tonumber(ARGV[5])
local isAdmitted = ARGV[6] == '1'
local deciding = redis.call('LINDEX', KEYS[1], limit - 1)
local wait = deciding and tonumber(deciding) + window - now or 0
if wait <= 0 or isAdmitted then
  redis.call('LPUSH', KEYS[1], ARGV[2])
  redis.call('LTRIM', KEYS[1], 0, kept - 1)
  redis.call('PEXPIRE', KEYS[1], window)
  wait = 0
end
local halfAt = half > 0 and redis.call('LINDEX', KEYS[1], half - 1)
return {wait, tonumber(halfAt or '0')}
`)

const mostWebhookAlerts = 80
const localKeys = 20_000
const retentionMs = 86_400_000

/** Counts what is admitted under a key in the last 60 s. */
export interface RateLimit {
  /** 0 when it is admitted, and then counted; else how many ms to wait. So many more than the limit may be admitted. */
  admit: (key: string, limit: number, now: number, more?: number) => Promise<number>
  /** Returns the number of admitted ones that count now; those of this process alone while Redis is away. */
  used: (key: string, now: number) => Promise<number>
}

/** One that is to be counted: up to half the limit nobody waits for Redis, and beyond the most it is refused. */
interface Admission {
  limit: number
  most: number
  at: number
}

/** The local knowledge of a key. */
interface Known {
  /** When this process admitted, newest first. */
  times: number[]
  /**
   * The moment at which, over all replicas, the one at half the limit was admitted, by the last reply of Redis; 0 for
   * never.
   */
  halfAt: number | undefined
}

/**
 * Limits counted in Redis for all replicas, and in this process alone while Redis is away. As long as less than half of
 * the limit is used, by all that is known here, nobody waits for Redis: it is written afterwards. So replicas together
 * may admit at most one each beyond the limit.
 */
export function openRateLimit(redis: PatientRedis): RateLimit {
  const local = expiringMap<Known>(retentionMs, localKeys)
  const callOf = (key: string, { limit, most, at }: Admission, isAdmitted: boolean): ScriptCall => {
    const values = [most, at, windowMs, retentionOf(most), halfOf(limit), isAdmitted ? 1 : 0]
    return { script: slide, key: `rate:${key}`, values }
  }
  /** Notes what all replicas know; returns how long to wait by that. */
  const note = (key: string, { limit, at }: Admission, reply: unknown): number | undefined => {
    if (!Array.isArray(reply)) return undefined
    const [waitMs, halfAt] = reply
    const times = local.get(key, at)?.times ?? []
    local.set(key, { times, halfAt: halfOf(limit) > 0 ? halfAt : undefined }, at)
    return waitMs
  }
  const count = (key: string, { most, at }: Admission): void => {
    const { times = [], halfAt } = local.get(key, at) ?? {}
    local.set(key, { times: [at, ...times.slice(0, retentionOf(most) - 1)], halfAt }, at)
  }
  const ask = async (key: string, admission: Admission): Promise<number> => {
    const { most, at } = admission
    // Alerts that were admitted here count in any case, also if Redis was away and knows nothing of them.
    const alone = waitBefore(local.get(key, at)?.times ?? [], most, at)
    if (alone > 0) return alone
    redis.afterwards.doAll()
    const call = callOf(key, admission, false)
    const reply = await redis.ask(async (connection) => await runScript(connection, call))
    return note(key, admission, reply) ?? 0
  }
  return {
    admit: async (key, limit, now, more = 0) => {
      const at = Math.trunc(now)
      const admission = { limit, most: limit + more, at }
      const isRoomy = hasRoom(local.get(key, at), limit, at)
      const waitMs = isRoomy ? 0 : await ask(key, admission)
      if (waitMs === 0) count(key, admission)
      if (isRoomy) redis.afterwards.add(callOf(key, admission, true), (reply) => note(key, admission, reply))
      return waitMs
    },
    used: async (key, now) => {
      redis.afterwards.doAll()
      const reply = await redis.ask(async (connection) => await connection.lrange(`rate:${key}`, 0, -1))
      const times = reply?.map(Number) ?? local.get(key, now)?.times ?? []
      return countWithin(times, now)
    },
  }
}

function hasRoom(known: Known | undefined, limit: number, at: number): boolean {
  if (known?.halfAt === undefined) return false
  return known.halfAt + windowMs <= at && waitBefore(known.times, halfOf(limit), at) === 0
}

function halfOf(limit: number): number {
  return Math.floor(limit / 2)
}

function retentionOf(limit: number): number {
  return Math.max(limit, mostWebhookAlerts)
}
