import type { WebhookAnswer } from '@tripline/proto/http/webhook'
import type { AlertId } from '@tripline/proto/id'

/** Under which id an alert goes on its way, and what is known of that id. */
export interface Claim {
  alertId: AlertId
  /**
   * `first`: nobody has seen it before. `again`: an earlier attempt may have stored it. `stored`: an earlier one has.
   */
  standing: 'first' | 'again' | 'stored'
  /** Whether the first answer is kept, to be given again to repeats. */
  keepsAnswer: boolean
  /** What the first attempt was answered, once that is known. */
  answer?: WebhookAnswer
  /** Tells what became of the alert, for those that come after it. */
  settle: (settlement: Settlement) => void
}

/**
 * `refused`: nothing was done, the id is free again. `failed`: it may be stored, a resend takes it over. `stored`: the
 * stream has it. `accepted` and `answered`: it was answered, without and with its result.
 */
export type Settlement =
  | { outcome: 'refused' | 'failed' | 'stored' | 'accepted' }
  | { outcome: 'answered'; answer: WebhookAnswer }

/** The claim of an alert that nothing can be matched with. */
export function unclaimed(alertId: AlertId): Claim {
  return { alertId, standing: 'first', keepsAnswer: false, settle: () => undefined }
}
