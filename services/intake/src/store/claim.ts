import type { DeliveryListener } from '@tripline/kit/http/delivery'
import type { WebhookAnswer } from '@tripline/proto/http/webhook'
import type { AlertId } from '@tripline/proto/id'

/** Under which id an alert goes on its way, and what is known of that id. */
export interface Claim {
  alertId: AlertId
  /** Key that it is matched by: an id of its own (or its time), its body, or nothing. */
  by: 'id' | 'body' | 'nothing'
  /**
   * `first`: nobody has seen it before. `again`: an earlier attempt may have stored it. `stored`: an earlier one has.
   */
  standing: 'first' | 'again' | 'stored'
  /** The answer of the first attempt, once it is known. */
  answer?: WebhookAnswer
  /** Returns whether a result that comes after the answer is stored for a later repeat. */
  wantsLateResult: () => boolean
  /** Ends the claim with the alert's outcome, for those that come after it. */
  finish: (end: ClaimOutcome) => void
  /** Receives whether the caller got the answer; undefined if that makes no difference. */
  delivered: DeliveryListener | undefined
}

/**
 * `refused`: nothing was done, the id is free again. `failed`: it may be stored, a resend takes it over. `stored`: the
 * stream has it. `answered`: it was executed, with this answer.
 */
export type ClaimOutcome =
  | { outcome: 'refused' | 'failed' | 'stored' }
  | { outcome: 'answered'; answer: WebhookAnswer }

/** The claim of an alert that nothing can be matched with. */
export function unclaimed(alertId: AlertId): Claim {
  return {
    alertId,
    by: 'nothing',
    standing: 'first',
    wantsLateResult: () => false,
    finish: () => undefined,
    delivered: undefined,
  }
}
