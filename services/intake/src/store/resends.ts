import type { AlertId } from '@tripline/proto/id'
import { type Attempt, cutOffMs, resendWindowMs, resentAttempt } from '../domain/resend.ts'
import type { Claim } from './claim.ts'
import { expiringMap } from './expiring-map.ts'
import type { PatientRedis } from './patient-redis.ts'
import { redisScript } from './redis-script.ts'

// The hash holds the unanswered attempts with one body, `<p|f><time>` each for pending and failed. One step, so that
// two resends that come together do not take over the same one of two attempts.
const takeOver = redisScript(`
local fresh, now, window, cutOff = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local attempts = redis.call('HGETALL', KEYS[1])
local resent = false
for i = 1, #attempts, 2 do
  local id, state, age = attempts[i], string.sub(attempts[i + 1], 1, 1), now - tonumber(string.sub(attempts[i + 1], 2))
  if age > window then
    redis.call('HDEL', KEYS[1], id)
  elseif (state == 'f' or age >= cutOff) and (not resent or id < resent) then
    resent = id
  end
end
redis.call('HSET', KEYS[1], resent or fresh, 'p' .. ARGV[2])
redis.call('PEXPIRE', KEYS[1], window)
return resent
`)

const localKeys = 20_000

/** Knows which equal bodies are resends of an alert that was not answered. */
export interface Resends {
  /** The id of the attempt that this body resends, else the fresh one; from now on it is pending. */
  claim: (body: string, fresh: AlertId, now: number) => Promise<Claim>
}

/** Resends known to all replicas through Redis, and to this process alone while Redis is away. */
export function openResends(redis: PatientRedis, clock: () => number): Resends {
  const local = expiringMap<Attempt[]>(resendWindowMs, localKeys)
  const forget = (body: string, alertId: AlertId): Attempt[] =>
    (local.get(body, clock()) ?? []).filter((attempt) => attempt.alertId !== alertId)

  const mark = (body: string, alertId: AlertId, state: Attempt['state']): void => {
    const at = clock()
    local.set(body, [...forget(body, alertId), { alertId, state, at }], at)
  }
  const fail = (body: string, alertId: AlertId): void => {
    mark(body, alertId, 'failed')
    const text = `f${Math.trunc(clock())}`
    void redis.ask(async (connection) => await connection.hset(keyOf(body), alertId, text))
  }
  const end = (body: string, alertId: AlertId): void => {
    const others = forget(body, alertId)
    if (others.length === 0) local.delete(body)
    else local.set(body, others, clock())
    void redis.ask(async (connection) => await connection.hdel(keyOf(body), alertId))
  }

  return {
    claim: async (body, fresh, now) => {
      const told = await redis.ask(
        async (connection) =>
          await takeOver(connection, keyOf(body), fresh, Math.trunc(now), resendWindowMs, cutOffMs),
      )
      const resent = typeof told === 'string' ? told : resentAttempt(local.get(body, now) ?? [], now)?.alertId
      const alertId = (resent ?? fresh) as AlertId
      mark(body, alertId, 'pending')
      return {
        alertId,
        standing: resent === undefined ? 'first' : 'again',
        keepsAnswer: false,
        settle: ({ outcome }) => {
          if (outcome === 'failed') fail(body, alertId)
          else if (outcome !== 'stored') end(body, alertId)
        },
      }
    },
  }
}

function keyOf(body: string): string {
  return `resend:${body}`
}
