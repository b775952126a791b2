import { expiringMap } from '@tripline/kit/expiring-map'
import { type Attempt, resendWindowMs } from '../domain/resend.ts'
import type { PatientRedis } from './patient-redis.ts'
import type { KnownAttempt, Unanswered } from './unanswered.ts'

const pollMs = 100
// What was heard last is trusted for so long; older, it is asked for again.
const staleMs = 300
// Replicas' clocks differ, and what is written takes its time.
const slackMs = 2000
// By then every replica has written again what Redis may have forgotten.
const toldAgainMs = 5000
const localKeys = 20_000

/** The attempts of all replicas that may be open to be taken over. */
export interface HeardAttempts {
  suspects: (body: string, now: number) => Promise<readonly Attempt[]>
  stop: () => void
}

/** Follows the attempts that open; answers once those of the window are known, or Redis is away. */
export async function followAttempts(
  unanswered: Unanswered,
  { onBack }: Pick<PatientRedis, 'onBack'>,
  clock: () => number,
): Promise<HeardAttempts> {
  const heard = expiringMap<readonly KnownAttempt[]>(resendWindowMs, localKeys)
  let heardAt = Math.trunc(clock()) - resendWindowMs
  let toldAgainUntil = 0
  onBack(() => {
    toldAgainUntil = Math.trunc(clock()) + toldAgainMs
  })
  const join = (opened: readonly KnownAttempt[], from: number, at: number): void => {
    const told = Map.groupBy(opened, ({ body }) => body)
    const ids = new Set(opened.map(({ alertId }) => alertId))
    for (const [body, known] of heard.entries(at)) {
      // One of this time that is told no more has been answered meanwhile, or forgotten.
      const others = known.filter(({ alertId }) => !ids.has(alertId))
      const kept = others.filter(({ openAt }) => openAt < from || at < toldAgainUntil)
      if (told.has(body) || kept.length < known.length) told.set(body, [...kept, ...(told.get(body) ?? [])])
    }
    for (const [body, attempts] of told)
      if (attempts.length > 0) heard.set(body, attempts, at)
      else heard.delete(body)
  }
  const poll = async (): Promise<void> => {
    const at = Math.trunc(clock())
    const from = at < toldAgainUntil ? at - resendWindowMs : heardAt - slackMs
    const opened = await unanswered.openedIn(from, at + slackMs)
    if (opened === undefined) return
    heardAt = Math.max(heardAt, at)
    join(opened, from, at)
  }
  await poll()
  const polling = setInterval(() => void poll(), pollMs)
  return {
    suspects: async (body, now) => {
      if (now - heardAt > staleMs) await poll()
      return heard.get(body, now) ?? []
    },
    stop: () => clearInterval(polling),
  }
}
