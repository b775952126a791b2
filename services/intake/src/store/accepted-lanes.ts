import { expiringMap } from '@tripline/kit/time/expiring-map'
import type { UserId } from '@tripline/proto/id'
import { Accepted, lastOther, withAccepted } from '../domain/accepted.ts'
import { resendWindowMs } from '../domain/resend.ts'
import type { PatientRedis } from './patient-redis.ts'
import { redisScript } from './redis-script.ts'

const localKeys = 20_000

// A hash of lanes, each with the same as `withAccepted` makes of it.
const noteLanes = redisScript(`
local at, body, keptMs = tonumber(ARGV[1]), ARGV[2], ARGV[3]
for i = 4, #ARGV do
  local text = redis.call('HGET', KEYS[1], ARGV[i])
  local known = text and cjson.decode(text) or { at = at, body = body, otherAt = 0 }
  if at >= known.at then
    if known.body ~= body then known.otherAt = known.at end
    known.at, known.body = at, body
  elseif known.body ~= body and at > known.otherAt then
    known.otherAt = at
  end
  redis.call('HSET', KEYS[1], ARGV[i], cjson.encode(known))
end
return redis.call('PEXPIRE', KEYS[1], keptMs)
`)

/** An alert that acts in these lanes. */
export interface LaneArrival {
  userId: UserId
  lanes: readonly string[]
  body: string
}

/** Knows which lanes went on with another alert, as far back as one could be resent now. */
export interface AcceptedLanes {
  /** Notes that an alert of this receipt was accepted. */
  note: (arrival: LaneArrival, receivedAt: number) => void
  /** When the last one with another body was received in any of these lanes; 0 where there was none. */
  lastOther: (arrival: LaneArrival, now: number) => Promise<number>
}

/** Lanes known to all replicas through Redis, and to this process alone while Redis is away. */
export function openAcceptedLanes(redis: PatientRedis): AcceptedLanes {
  const local = expiringMap<Accepted>(resendWindowMs, localKeys)
  const localKey = (userId: UserId, lane: string): string => `${userId} ${lane}`
  const acceptedIn = async (
    userId: UserId,
    lanes: readonly string[],
    period: number,
  ): Promise<Accepted[]> => {
    const texts = await redis.ask(
      async (connection) => await connection.hmget(keyOf(userId, period), ...lanes),
    )
    return (texts ?? []).flatMap((text) => (text === null ? [] : [Accepted.parse(JSON.parse(text))]))
  }
  return {
    note: ({ userId, lanes, body: name }, receivedAt) => {
      const body = mark(name)
      for (const lane of lanes) {
        const key = localKey(userId, lane)
        local.set(key, withAccepted(local.get(key, receivedAt), body, receivedAt), receivedAt)
      }
      const key = keyOf(userId, periodOf(receivedAt))
      redis.afterwards.add({
        script: noteLanes,
        key,
        values: [receivedAt, body, 2 * resendWindowMs, ...lanes],
      })
      redis.afterwards.doAll()
    },
    lastOther: async ({ userId, lanes, body }, now) => {
      const period = periodOf(now)
      const all = await Promise.all([
        acceptedIn(userId, lanes, period),
        acceptedIn(userId, lanes, period - 1),
      ])
      const here = lanes.map((lane) => local.get(localKey(userId, lane), now))
      return Math.max(0, ...[...all.flat(), ...here].map((known) => lastOther(known, mark(body))))
    },
  }
}

// The end of its hash is enough to know a body from others, and is stored for each lane.
function mark(body: string): string {
  return body.slice(-16)
}

// A key ends with its period, so that none grows for as long as alerts come.
function periodOf(at: number): number {
  return Math.floor(at / resendWindowMs)
}

function keyOf(userId: UserId, period: number): string {
  return `lanes:${userId}:${period}`
}
