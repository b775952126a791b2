import { AlertId } from '@tripline/proto/id'
import { type Attempt, cutOffMs, resendWindowMs, resentAttempt } from '../domain/resend.ts'
import type { Claim } from './claim.ts'
import { expiringMap } from './expiring-map.ts'
import type { PatientRedis } from './patient-redis.ts'
import { redisScript } from './redis-script.ts'

// The hash holds the unanswered attempts with one body, `<p|f><time>` each for pending and failed; `known` is one that
// this process alone knows of. One step, so that two resends that come together do not take over the same attempt.
const takeOver = redisScript(`
local fresh, now, window, cutOff = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local known = ARGV[5]
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
if known ~= '' and (not resent or known < resent) then resent = known end
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

/** The attempt that a body resends, if any; `isShared` if Redis said so. */
interface Takeover {
  resent: AlertId | undefined
  isShared: boolean
}

/** An attempt of this process; `isShared` if Redis was told of it. */
interface OwnAttempt extends Attempt {
  isShared: boolean
}

/** Resends known to all replicas through Redis, and to this process alone while Redis is away. */
export function openResends(redis: PatientRedis, clock: () => number): Resends {
  const local = expiringMap<OwnAttempt[]>(resendWindowMs, localKeys)
  const othersThan = (body: string, alertId: AlertId): OwnAttempt[] =>
    (local.get(body, clock()) ?? []).filter((attempt) => attempt.alertId !== alertId)
  const note = (body: string, attempt: OwnAttempt): void => {
    local.set(body, [...othersThan(body, attempt.alertId), attempt], attempt.at)
  }
  const end = (body: string, alertId: AlertId): void => {
    const others = othersThan(body, alertId)
    if (others.length === 0) local.delete(body)
    else local.set(body, others, clock())
    void redis.ask(async (connection) => await connection.hdel(keyOf(body), alertId))
  }
  const fail = (body: string, attempt: OwnAttempt): void => {
    const failed: OwnAttempt = { ...attempt, state: 'failed', at: Math.trunc(clock()) }
    note(body, failed)
    const { alertId, at } = failed
    void redis
      .ask(async (connection) => await connection.hset(keyOf(body), alertId, `f${at}`))
      .then((told) => {
        failed.isShared ||= told !== undefined
      })
  }
  const takeOverOf = async (body: string, fresh: AlertId, at: number): Promise<Takeover> => {
    // What Redis was told of is judged there: another replica may have answered it meanwhile.
    const unshared = (local.get(body, at) ?? []).filter(({ isShared }) => !isShared)
    const known = resentAttempt(unshared, at)?.alertId
    const limits = [resendWindowMs, cutOffMs, known ?? '']
    const told = await redis.ask(
      async (connection) => await takeOver(connection, keyOf(body), fresh, at, ...limits),
    )
    if (told !== undefined) return { resent: AlertId.safeParse(told).data, isShared: true }
    return { resent: resentAttempt(local.get(body, at) ?? [], at)?.alertId, isShared: false }
  }

  return {
    claim: async (body, fresh, now) => {
      const at = Math.trunc(now)
      const { resent, isShared } = await takeOverOf(body, fresh, at)
      const alertId = resent ?? fresh
      const attempt: OwnAttempt = { alertId, state: 'pending', at, isShared }
      note(body, attempt)
      return {
        alertId,
        standing: resent === undefined ? 'first' : 'again',
        keepsAnswer: false,
        settle: ({ outcome }) => {
          if (outcome === 'failed') fail(body, attempt)
          else if (outcome !== 'stored') end(body, alertId)
        },
      }
    },
  }
}

function keyOf(body: string): string {
  return `resend:${body}`
}
