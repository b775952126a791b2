import { AlertId } from '@tripline/proto/id'
import { type Attempt, cutOffMs, resendWindowMs } from '../domain/resend.ts'
import type { PatientRedis } from './patient-redis.ts'
import { redisScript } from './redis-script.ts'

// A sorted set of `<body>|<alert id>`, by when the attempt is open to be taken over.
const key = 'unanswered'

const openedIn = redisScript(`
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', ARGV[3])
return redis.call('ZRANGEBYSCORE', KEYS[1], ARGV[1], ARGV[2])
`)

// One step, so that two resends that come together do not take over the same one of two attempts.
const takeFirstOpen = redisScript(`
local now, window, cutOff = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
for i = 4, #ARGV do
  local openAt = redis.call('ZSCORE', KEYS[1], ARGV[i])
  if openAt and tonumber(openAt) <= now and now - tonumber(openAt) <= window then
    redis.call('ZADD', KEYS[1], now + cutOff, ARGV[i])
    return ARGV[i]
  end
end
return false
`)

/** The unanswered attempts as all replicas know them; everything is undefined while Redis is away. */
export interface Unanswered {
  put: (body: string, attempt: Attempt) => Promise<unknown>
  remove: (body: string, alertId: AlertId) => Promise<unknown>
  /** The attempts that open in this time, with their bodies. */
  openedIn: (from: number, to: number) => Promise<{ body: string; alertId: AlertId }[] | undefined>
  /** Takes the first of these attempts that is open; it is under way again then. Null when none is. */
  takeFirst: (body: string, alertIds: AlertId[], now: number) => Promise<AlertId | null | undefined>
}

/** The set in Redis. */
export function openUnanswered(redis: PatientRedis): Unanswered {
  return {
    put: async (body, { alertId, openAt }) =>
      await redis.ask(async (connection) => await connection.zadd(key, openAt, memberOf(body, alertId))),
    remove: async (body, alertId) =>
      await redis.ask(async (connection) => await connection.zrem(key, memberOf(body, alertId))),
    openedIn: async (from, to) => {
      const members = await redis.ask(
        async (connection) => await openedIn(connection, key, from, to, to - 2 * resendWindowMs),
      )
      return Array.isArray(members) ? members.map(partsOf) : undefined
    },
    takeFirst: async (body, alertIds, now) => {
      const members = alertIds.map((alertId) => memberOf(body, alertId))
      const taken = await redis.ask(
        async (connection) => await takeFirstOpen(connection, key, now, resendWindowMs, cutOffMs, ...members),
      )
      return typeof taken === 'string' ? partsOf(taken).alertId : (taken as null | undefined)
    },
  }
}

function memberOf(body: string, alertId: AlertId): string {
  return `${body}|${alertId}`
}

function partsOf(member: string): { body: string; alertId: AlertId } {
  const [body = '', alertId] = member.split('|')
  return { body, alertId: AlertId.parse(alertId) }
}
