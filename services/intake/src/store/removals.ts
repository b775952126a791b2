import type { AlertId } from '@tripline/proto/id'
import { cutOffMs, resendWindowMs } from '../domain/resend.ts'
import type { Unanswered } from './unanswered.ts'

const againMs = 250

/** Takes attempts out of what all replicas know, as soon as Redis is there: until then another could take them over. */
export type Remove = (body: string, alertId: AlertId) => void

/** Nothing to remove yet; what Redis did not hear is told again as long as an attempt can be taken over. */
export function openRemovals(unanswered: Unanswered, clock: () => number): Remove {
  const unheard = new Map<AlertId, { body: string; until: number }>()
  let isDue = false
  const tellAgain = async (): Promise<void> => {
    for (const [alertId, { body, until }] of unheard) {
      if (clock() < until && (await unanswered.remove(body, alertId)) === undefined) break
      unheard.delete(alertId)
    }
    isDue = false
    arrange()
  }
  const arrange = (): void => {
    if (isDue || unheard.size === 0) return
    isDue = true
    setTimeout(() => void tellAgain(), againMs).unref()
  }
  return (body, alertId) => {
    const until = clock() + resendWindowMs + cutOffMs
    void unanswered.remove(body, alertId).then((told) => {
      if (told !== undefined) return
      unheard.set(alertId, { body, until })
      arrange()
    })
  }
}
