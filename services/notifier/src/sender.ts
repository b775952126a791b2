import { setTimeout as sleep } from 'node:timers/promises'
import type { Service } from '@tripline/kit/lifecycle'
import { now } from '@tripline/kit/time/clock'
import type { Deps } from './deps.ts'
import { groupNotes } from './domain/group.ts'
import { isOn } from './domain/note.ts'
import { retryDelayMs, type Sending } from './domain/sending.ts'
import { type Claim, claimDue, releaseDelivered, releaseFailed } from './store/delivery.ts'
import { listWaiting, noteSent, removeOlder, removeWaiting } from './store/note.ts'

/** Users that are sent to at a time: one whose chat is slow holds up nobody else. */
const mostAtOnce = 32
/** Longer than an attempt takes; after it a replica that died holds nothing any more. */
const claimMs = 30_000
const lookEveryMs = 200
const cleanEveryMs = 60_000
/** More never fit into one message. */
const mostInMessage = 200

type Needed = Pick<Deps, 'config' | 'db' | 'log' | 'settingsOf' | 'send'>

/** Sends what waits, each user for itself, until stopped. */
export function startSending(deps: Needed): Service {
  const stopping = new AbortController()
  const underWay = new Set<Promise<void>>()
  const looking = repeat(deps, lookEveryMs, stopping.signal, async () => {
    if (underWay.size >= mostAtOnce) return
    const due = { now: isoIn(0), until: isoIn(claimMs), limit: mostAtOnce - underWay.size }
    for (const claim of await claimDue(deps.db, due)) {
      const delivering = deliver(deps, claim).finally(() => underWay.delete(delivering))
      underWay.add(delivering)
    }
  })
  const cleaning = repeat(deps, cleanEveryMs, stopping.signal, async () => {
    const sentBefore = isoIn(-deps.config.SENT_NOTE_LIFE_DAYS * 86_400_000)
    await removeOlder(deps.db, { waitingSince: oldest(deps), sentBefore })
  })
  return {
    stop: async () => {
      stopping.abort()
      await Promise.all([looking, cleaning])
      await Promise.all(underWay)
    },
  }
}

async function repeat(
  { log }: Needed,
  everyMs: number,
  stopping: AbortSignal,
  round: () => Promise<void>,
): Promise<void> {
  while (!stopping.aborted) {
    await round().catch((error: unknown) => log.warn({ err: error }, 'deliveries cannot be read'))
    await sleep(everyMs, undefined, { signal: stopping }).catch(() => undefined)
  }
}

/** One message of a user; a fault leaves the claim to run out, and then it is tried again. */
async function deliver(deps: Needed, claim: Claim): Promise<void> {
  try {
    await sendNext(deps, claim)
  } catch (error) {
    deps.log.warn({ err: error, userId: claim.userId }, 'delivery not settled')
  }
}

async function sendNext(deps: Needed, claim: Claim): Promise<void> {
  const { db, settingsOf } = deps
  const { userId } = claim
  const begunAt = isoIn(0)
  const settings = settingsOf(userId)
  // A user who turned it off meanwhile, or took the token away, wants nothing of it any more.
  if (!isOn(settings)) {
    await removeWaiting(db, userId)
    return await releaseDelivered(db, claim, { begunAt, nextAt: isoIn(0) })
  }
  const waiting = await listWaiting(db, userId, { since: oldest(deps), limit: mostInMessage })
  const group = groupNotes(waiting, claim.leftOut)
  if (group === undefined) return await releaseDelivered(db, claim, { begunAt, nextAt: isoIn(0) })
  const sending = await deps.send(settings, group.html)
  await recordOutcome(deps, claim, { ids: group.ids, begunAt, sending })
}

/** A message of these notes, and its outcome. */
interface Attempt {
  ids: readonly string[]
  begunAt: string
  sending: Sending
}

async function recordOutcome(deps: Needed, claim: Claim, { ids, begunAt, sending }: Attempt): Promise<void> {
  const { db, config, log } = deps
  const { userId, attempts } = claim
  const endedAt = now()
  const at = isoOf(endedAt)
  if (sending.outcome === 'later' || sending.outcome === 'refused') {
    const retryAt = isoOf(endedAt + retryDelayMs(sending, attempts, config.RETRY_FIRST_MS))
    log.info({ userId, outcome: sending.outcome, attempts, retryAt }, 'message not sent')
    return await releaseFailed(db, userId, { error: sending.error, at, retryAt })
  }
  if (sending.outcome === 'unreadable')
    log.error({ userId, ids }, 'message of a form that is not taken, left out')
  await noteSent(db, ids, at)
  await releaseDelivered(db, claim, { begunAt, nextAt: isoOf(endedAt + config.GATHER_MS) })
}

function oldest({ config }: Needed): string {
  return isoIn(-config.NOTE_LIFE_MINUTES * 60_000)
}

function isoIn(ms: number): string {
  return isoOf(now() + ms)
}

function isoOf(at: number): string {
  return new Date(at).toISOString()
}
