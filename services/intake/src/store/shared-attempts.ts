import { expiringMap } from '@tripline/kit/time/expiring-map'
import { type Attempt, resendWindowMs } from '../domain/resend.ts'
import type { PatientRedis } from './patient-redis.ts'
import type { KnownAttempt, Unanswered } from './unanswered.ts'

const pollMs = 100
// The attempts that were read last are trusted for so long; older, they are read again.
const staleMs = 300
// Replicas' clocks differ, and what is written takes its time.
const slackMs = 2000
// By then every replica has written again what Redis may have forgotten.
const refillMs = 5000
const localKeys = 20_000

/** The attempts of all replicas that may be open to be taken over. */
export interface SharedAttempts {
  suspects: (body: string, now: number) => Promise<readonly Attempt[]>
  stop: () => void
}

/** Polls the attempts that open; resolves once those of the window are known, or Redis is away. */
export async function pollAttempts(
  unanswered: Unanswered,
  { onBack }: Pick<PatientRedis, 'onBack'>,
  clock: () => number,
): Promise<SharedAttempts> {
  const attemptsOf = expiringMap<readonly KnownAttempt[]>(resendWindowMs, localKeys)
  let readUntil = Math.trunc(clock()) - resendWindowMs
  let refillingUntil = 0
  onBack(() => {
    refillingUntil = Math.trunc(clock()) + refillMs
  })
  const join = (opened: readonly KnownAttempt[], from: number, at: number): void => {
    const joined = Map.groupBy(opened, ({ body }) => body)
    const ids = new Set(opened.map(({ alertId }) => alertId))
    for (const [body, known] of attemptsOf.entries(at)) {
      // One of this time that is not in the reply has been answered meanwhile, or forgotten.
      const others = known.filter(({ alertId }) => !ids.has(alertId))
      const remaining = others.filter(({ openAt }) => openAt < from || at < refillingUntil)
      if (joined.has(body) || remaining.length < known.length)
        joined.set(body, [...remaining, ...(joined.get(body) ?? [])])
    }
    for (const [body, attempts] of joined)
      if (attempts.length > 0) attemptsOf.set(body, attempts, at)
      else attemptsOf.delete(body)
  }
  const poll = async (): Promise<void> => {
    const at = Math.trunc(clock())
    const from = at < refillingUntil ? at - resendWindowMs : readUntil - slackMs
    const opened = await unanswered.openedIn(from, at + slackMs)
    if (opened === undefined) return
    readUntil = Math.max(readUntil, at)
    join(opened, from, at)
  }
  await poll()
  const polling = setInterval(() => void poll(), pollMs)
  return {
    suspects: async (body, now) => {
      if (now - readUntil > staleMs) await poll()
      return attemptsOf.get(body, now) ?? []
    },
    stop: () => clearInterval(polling),
  }
}
