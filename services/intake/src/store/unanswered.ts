import { AlertId } from '@tripline/proto/id'
import { type Attempt, cutOffMs, openForMs, resendWindowMs } from '../domain/resend.ts'
import type { PatientRedis } from './patient-redis.ts'
import { type RedisScript, redisScript, runScript } from './redis-script.ts'

// A sorted set of `<body>|<alert id>`, by when the attempt is open to be taken over; an answered one stays, by the
// negative of when that was, so that what is not there is known to be forgotten.
const key = 'unanswered'

/**
 * The commands that write a new attempt: a written command is on its way even if this process is killed, and the alert
 * must not be on the bus while its attempt is nowhere.
 */
export const sentAtOnce = ['zadd']

const openedIn = redisScript(`
redis.call('ZREMRANGEBYSCORE', KEYS[1], '(-' .. ARGV[3], '(' .. ARGV[3])
return redis.call('ZRANGEBYSCORE', KEYS[1], ARGV[1], ARGV[2], 'WITHSCORES')
`)

const noteAnswered = redisScript(`return redis.call('ZADD', KEYS[1], ARGV[1], ARGV[2])`)

// Opens an attempt earlier than was said first, unless the caller has its answer from another attempt.
const open = redisScript(`
local known = redis.call('ZSCORE', KEYS[1], ARGV[2])
if known and tonumber(known) < 0 and ARGV[3] ~= '1' then return 0 end
return redis.call('ZADD', KEYS[1], ARGV[1], ARGV[2])
`)

// One step, so that two resends that come together do not take over the same one of two attempts. Attempts that Redis
// has forgotten are judged by what the caller remembers of them.
const takeFirstOpen = redisScript(`
local now, openFor, cutOff = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
for i = 4, #ARGV, 2 do
  local openAt = tonumber(redis.call('ZSCORE', KEYS[1], ARGV[i]) or ARGV[i + 1])
  if openAt >= 0 and openAt <= now and now - openAt <= openFor then
    redis.call('ZADD', KEYS[1], now + cutOff, ARGV[i])
    return ARGV[i]
  end
end
return false
`)

/** An attempt with the body it came with. */
export interface KnownAttempt extends Attempt {
  body: string
}

/** The unanswered attempts as all replicas know them; everything is undefined while Redis is away. */
export interface Unanswered {
  /** Writes an attempt unless one is there. */
  put: (body: string, attempt: Attempt) => Promise<unknown>
  /** Opens an attempt; one that is answered only where the answer proved to be lost. */
  open: (body: string, attempt: Attempt, isAnswerLost: boolean) => Promise<unknown>
  /** Writes it with the next command, some ms later at most. */
  answered: (body: string, alertId: AlertId, at: number) => void
  /** The attempts that open in this time. */
  openedIn: (from: number, to: number) => Promise<KnownAttempt[] | undefined>
  /** Takes the first of these attempts that is open; it is under way again then. Null when none is. */
  takeFirst: (body: string, attempts: readonly Attempt[], now: number) => Promise<AlertId | null | undefined>
}

/** The set in Redis. */
export function openUnanswered(redis: PatientRedis): Unanswered {
  const run = async (script: RedisScript, ...values: (number | string)[]): Promise<unknown> => {
    // Answered attempts are written before a script that opens them again or reads them.
    redis.afterwards.doAll()
    return await redis.ask(async (connection) => await runScript(connection, { script, key, values }))
  }
  return {
    // Nothing is gathered for it: if the attempt was answered, the later write stays.
    put: async (body, { alertId, openAt }) =>
      await redis.ask(
        async (connection) => await connection.zadd(key, 'NX', openAt, memberOf(body, alertId)),
      ),
    open: async (body, { alertId, openAt }, isAnswerLost) =>
      await run(open, openAt, memberOf(body, alertId), isAnswerLost ? 1 : 0),
    answered: (body, alertId, at) =>
      redis.afterwards.add({ script: noteAnswered, key, values: [-at, memberOf(body, alertId)] }),
    openedIn: async (from, to) => {
      const reply = await run(openedIn, from, to, to - 2 * resendWindowMs)
      return Array.isArray(reply) ? attemptsOf(reply) : undefined
    },
    takeFirst: async (body, attempts, now) => {
      const known = attempts.flatMap(({ alertId, openAt }) => [memberOf(body, alertId), openAt])
      const taken = await run(takeFirstOpen, now, openForMs, cutOffMs, ...known)
      return typeof taken === 'string' ? partsOf(taken).alertId : (taken as null | undefined)
    },
  }
}

function attemptsOf(membersAndScores: string[]): KnownAttempt[] {
  const attempts: KnownAttempt[] = []
  for (let index = 0; index < membersAndScores.length; index += 2) {
    const parts = partsOf(membersAndScores[index] ?? '')
    attempts.push({ ...parts, openAt: Number(membersAndScores[index + 1]) })
  }
  return attempts
}

function memberOf(body: string, alertId: AlertId): string {
  return `${body}|${alertId}`
}

function partsOf(member: string): { body: string; alertId: AlertId } {
  const [body = '', alertId] = member.split('|')
  return { body, alertId: AlertId.parse(alertId) }
}
