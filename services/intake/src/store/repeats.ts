import { hash } from 'node:crypto'
import { type ExpiringMap, expiringMap } from '@tripline/kit/time/expiring-map'
import { WebhookAnswer } from '@tripline/proto/http/webhook'
import { AlertId, type UserId } from '@tripline/proto/id'
import { z } from 'zod'
import { shortAnswer, storedAnswer } from '../domain/stored-answer.ts'
import type { AnswerRoom } from './answer-room.ts'
import type { Claim, ClaimOutcome } from './claim.ts'
import type { IdExcess } from './id-room.ts'
import { type Ids, idRetentionMs, type OwnedId } from './ids.ts'
import type { PatientRedis } from './patient-redis.ts'

// Another alert may have the id by now. Sent in full, so that it is done in one step, before its sender can come again.
const forget = `
local text = redis.call('GET', KEYS[1])
if text and cjson.decode(text).alertId == ARGV[1] then redis.call('DEL', KEYS[1]) end
return 0
`

// Fewer than elsewhere: each may hold an answer.
const localKeys = 2000

/** The progress of the first alert with an id. */
const First = z.object({
  alertId: AlertId,
  state: z.enum(['pending', 'stored', 'answered']),
  answer: WebhookAnswer.exactOptional(),
})
type First = z.infer<typeof First>

/** An id that an alert gave itself. */
export interface IdArrival {
  identity: string
  userId: UserId
  isExit: boolean
  /** The time that the bus may take to find who has it. */
  withinMs: number
}

/** Knows the ids that alerts gave themselves in the last 24 h. */
export interface Repeats {
  /**
   * The alert that had this id first, else the fresh one, which has it from now on; the excess where its user has no
   * room for a new id. Throws if the bus does not answer.
   */
  claim: (arrival: IdArrival, fresh: AlertId, now: number) => Promise<Claim | IdExcess>
}

interface Known {
  ids: Ids
  answers: AnswerRoom
  redis: PatientRedis
  local: ExpiringMap<First>
  clock: () => number
}

/**
 * Ids whose first alert the bus knows, whatever dies. Redis, and this process while it is away, know besides how far
 * that has come and what it was answered; what they forgot is found out by giving the executor the same alert again.
 */
export function openRepeats(
  ids: Ids,
  answers: AnswerRoom,
  redis: PatientRedis,
  clock: () => number,
): Repeats {
  const known: Known = { ids, answers, redis, local: expiringMap(idRetentionMs, localKeys), clock }
  return {
    claim: async (arrival, fresh, now) => {
      const first = await findFirst(known, arrival, fresh, now)
      if (!('alertId' in first)) return first
      const { alertId, state, answer } = first
      return {
        alertId,
        by: 'id',
        standing: alertId === fresh ? 'first' : standingOf(state),
        ...(answer !== undefined && { answer }),
        wantsLateResult: () => true,
        finish: (end) => finishClaim(known, arrival, alertId, end),
        delivered: undefined,
      }
    },
  }
}

function mine(alertId: AlertId): First {
  return { alertId, state: 'pending' }
}

/** Returns the alert that had the id before; where none had, the fresh one has it now if there is room for it. */
async function findFirst(
  known: Known,
  arrival: IdArrival,
  fresh: AlertId,
  now: number,
): Promise<First | IdExcess> {
  const cached = await findCached(known, arrival.identity, mine(fresh), now)
  if (cached?.state === 'answered') return cached
  const alertId = cached?.alertId ?? fresh
  const { isExit, withinMs } = arrival
  const isKnown = cached !== undefined
  const holder = await known.ids.claim({ id: ownedId(arrival), alertId, isKnown, isExit, withinMs })
  if (typeof holder === 'string') return cached?.alertId === holder ? cached : mine(holder)
  if (cached?.state === 'stored') return cached
  forgetFirst(known, arrival.identity, alertId)
  return holder
}

/** Returns what Redis and this process know of the id; where they know nothing, they note it as this alert's. */
async function findCached(
  known: Known,
  identity: string,
  its: First,
  now: number,
): Promise<First | undefined> {
  const { redis, local } = known
  const text = JSON.stringify(its)
  const reply = await redis.ask(
    async (connection) => await connection.set(cacheKeyOf(identity), text, 'PX', idRetentionMs, 'NX', 'GET'),
  )
  const first = further(parseFirst(reply), local.get(identity, now))
  if (first === undefined) local.set(identity, its, now)
  // Alerts of a time when Redis was away are known here only, until now.
  else if (reply === null) keep(known, identity, first)
  return first
}

function finishClaim(known: Known, arrival: IdArrival, alertId: AlertId, end: ClaimOutcome): void {
  const { identity } = arrival
  if (end.outcome === 'refused') giveUp(known, arrival, alertId)
  if (end.outcome === 'stored') keep(known, identity, { alertId, state: 'stored' })
  if (end.outcome === 'answered') void keepAnswer(known, arrival, alertId, end.answer)
}

/** Keeps an answer at once, since it may be asked for as soon as it has gone out, and shortens it where there is no room. */
async function keepAnswer(
  known: Known,
  { identity, userId }: IdArrival,
  alertId: AlertId,
  whole: WebhookAnswer,
): Promise<void> {
  const { answer, bytes } = storedAnswer(whole)
  keep(known, identity, { alertId, state: 'answered', answer })
  if (bytes > 0 && !(await known.answers.take(userId, bytes, known.clock())))
    keep(known, identity, { alertId, state: 'answered', answer: shortAnswer(answer) })
}

function keep({ redis, local, clock }: Known, identity: string, first: First): void {
  local.set(identity, first, clock())
  const text = JSON.stringify(first)
  void redis.ask(async (connection) => await connection.set(cacheKeyOf(identity), text, 'PX', idRetentionMs))
}

function giveUp(known: Known, arrival: IdArrival, alertId: AlertId): void {
  forgetFirst(known, arrival.identity, alertId)
  void known.ids.free(ownedId(arrival), alertId)
}

function forgetFirst({ redis, local, clock }: Known, identity: string, alertId: AlertId): void {
  if (local.get(identity, clock())?.alertId === alertId) local.delete(identity)
  void redis.ask(async (connection) => await connection.eval(forget, 1, cacheKeyOf(identity), alertId))
}

const order = { pending: 0, stored: 1, answered: 2 }

// Redis may lack what this process wrote last, and this process what another one did.
function further(stored: First | undefined, known: First | undefined): First | undefined {
  if (stored === undefined || known === undefined) return stored ?? known
  return order[known.state] > order[stored.state] ? known : stored
}

function standingOf(state: First['state']): Claim['standing'] {
  return state === 'pending' ? 'again' : 'stored'
}

function parseFirst(text: string | null | undefined): First | undefined {
  return typeof text === 'string' ? First.parse(JSON.parse(text)) : undefined
}

function cacheKeyOf(identity: string): string {
  return `id:${identity}`
}

/** The id as the bus keeps it, where a name may not hold everything. */
function ownedId({ userId, identity }: IdArrival): OwnedId {
  return { userId, name: hash('sha256', identity, 'base64url') }
}
