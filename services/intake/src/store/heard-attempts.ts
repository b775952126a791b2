import type { AlertId } from '@tripline/proto/id'
import { resendWindowMs } from '../domain/resend.ts'
import { expiringMap } from './expiring-map.ts'
import type { Unanswered } from './unanswered.ts'

const pollMs = 100
// What was heard last is trusted for so long; older, it is asked for again.
const staleMs = 300
// Replicas' clocks differ, and what is written takes its time.
const slackMs = 2000
const localKeys = 20_000

/** The attempts of all replicas that may be open to be taken over. */
export interface HeardAttempts {
  suspects: (body: string, now: number) => Promise<Iterable<AlertId>>
  stop: () => void
}

/** Follows the attempts that open; answers once those of the last minute are known, or Redis is away. */
export async function followAttempts(unanswered: Unanswered, clock: () => number): Promise<HeardAttempts> {
  const heard = expiringMap<Set<AlertId>>(resendWindowMs, localKeys)
  let heardAt = Math.trunc(clock()) - resendWindowMs
  const poll = async (): Promise<void> => {
    const at = Math.trunc(clock())
    const opened = await unanswered.openedIn(heardAt - slackMs, at + slackMs)
    if (opened === undefined) return
    heardAt = at
    for (const { body, alertId } of opened)
      heard.set(body, (heard.get(body, at) ?? new Set()).add(alertId), at)
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
