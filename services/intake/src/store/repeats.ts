import { WebhookAnswer } from '@tripline/proto/http/webhook'
import { AlertId } from '@tripline/proto/id'
import { z } from 'zod'
import type { Claim, Settlement } from './claim.ts'
import { type ExpiringMap, expiringMap } from './expiring-map.ts'
import type { PatientRedis } from './patient-redis.ts'

const keptMs = 86_400_000
// Fewer than elsewhere: each may hold a whole answer.
const localKeys = 5000

/** How far the first alert with an id has come. */
const First = z.object({
  alertId: AlertId,
  state: z.enum(['pending', 'stored', 'answered']),
  answer: WebhookAnswer.exactOptional(),
})
type First = z.infer<typeof First>

/** Knows the ids that alerts gave themselves in the last 24 h. */
export interface Repeats {
  /** The alert that had this id first, else the fresh one, which has it from now on. */
  claim: (identity: string, fresh: AlertId, now: number) => Promise<Claim>
}

interface Ids {
  redis: PatientRedis
  local: ExpiringMap<First>
  clock: () => number
}

/** Ids known to all replicas through Redis, and to this process alone while Redis is away. */
export function openRepeats(redis: PatientRedis, clock: () => number): Repeats {
  const ids: Ids = { redis, local: expiringMap(keptMs, localKeys), clock }
  return {
    claim: async (identity, fresh, now) => {
      const mine: First = { alertId: fresh, state: 'pending' }
      const first = await findFirst(ids, identity, mine, now)
      const { alertId, state, answer } = first ?? mine
      return {
        alertId,
        standing: standingOf(first === undefined, state),
        keepsAnswer: true,
        ...(answer !== undefined && { answer }),
        settle: (settlement) => settle(ids, identity, alertId, settlement),
      }
    },
  }
}

/** Who had the id before; when nobody had, it is mine now. */
async function findFirst(ids: Ids, identity: string, mine: First, now: number): Promise<First | undefined> {
  const { redis, local } = ids
  const text = JSON.stringify(mine)
  const told = await redis.ask(
    async (connection) => await connection.set(keyOf(identity), text, 'PX', keptMs, 'NX', 'GET'),
  )
  const first = further(parseFirst(told), local.get(identity, now))
  if (first === undefined) local.set(identity, mine, now)
  // What came while Redis was away is known here only, until now.
  else if (told === null) keep(ids, identity, first)
  return first
}

function settle(ids: Ids, identity: string, alertId: AlertId, settlement: Settlement): void {
  if (settlement.outcome === 'refused') giveUp(ids, identity)
  if (settlement.outcome === 'stored') keep(ids, identity, { alertId, state: 'stored' })
  if (settlement.outcome === 'answered')
    keep(ids, identity, { alertId, state: 'answered', answer: settlement.answer })
}

function keep({ redis, local, clock }: Ids, identity: string, first: First): void {
  local.set(identity, first, clock())
  const text = JSON.stringify(first)
  void redis.ask(async (connection) => await connection.set(keyOf(identity), text, 'PX', keptMs))
}

function giveUp({ redis, local }: Ids, identity: string): void {
  local.delete(identity)
  void redis.ask(async (connection) => await connection.del(keyOf(identity)))
}

const order = { pending: 0, stored: 1, answered: 2 }

// Redis may have missed what this process told it last, and this process what another one did.
function further(told: First | undefined, known: First | undefined): First | undefined {
  if (told === undefined || known === undefined) return told ?? known
  return order[known.state] > order[told.state] ? known : told
}

function standingOf(isFirst: boolean, state: First['state']): Claim['standing'] {
  if (isFirst) return 'first'
  return state === 'pending' ? 'again' : 'stored'
}

function parseFirst(text: string | null | undefined): First | undefined {
  return typeof text === 'string' ? First.parse(JSON.parse(text)) : undefined
}

function keyOf(identity: string): string {
  return `id:${identity}`
}
