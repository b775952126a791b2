import type { OrderOutcome } from '@tripline/proto/command-result'
import type { AbsenceRule } from './absence.ts'
import {
  absenceCountsAfterSending,
  type Doubt,
  depthOf,
  doubtAgain,
  doubtFrom,
  isGivenUp,
  isProvenAbsent,
  isUnprovable,
  sawAbsence,
  sawNothing,
} from './doubt.ts'
import type { Failure } from './ending.ts'
import {
  type Cancellation,
  isConditional,
  isImmediate,
  isTerminal,
  type LookUp,
  type OrderPlan,
  type OrderRef,
  type Placement,
  type VenueOrder,
  type Warning,
} from './order.ts'

/** Time before an unsettled order is asked for again, or a withheld one is tried again. */
export const askAgainMs = 200

/** An order that was decided on, with the further details of its result. */
export interface Decision {
  plan: OrderPlan
  pricing?: string
  warnings?: Warning[]
  /** Ask price of the market, or its bid for a sale; absent where it was not read. */
  reference?: string
  /** When it asked that: when the order was sized, right before it was sent, or right after. */
  referenceKind?: NonNullable<OrderOutcome['reference_kind']>
}

/** Since when an exit is not taken, as the exchange was asked too often, and how it ends where that goes on. */
export interface HeldBack {
  since: number
  failure: Failure
}

/** One order of a command, and what is known of it. */
export interface Attempt {
  ref: OrderRef
  /** Absent where an earlier owner may have placed the order, and only its id is known. */
  decision?: Decision
  /** True where the order as it was sent could open nothing. */
  isExit?: boolean
  doubt?: Doubt
  /** When a placement first had no answer. */
  unansweredSince?: number
  found?: VenueOrder
  foundAt?: number
  refusal?: Failure
  heldBack?: HeldBack
  /** Since when it is tried to cancel the order. */
  cancelingSince?: number
  /** A cancel had no clear answer, so the order is asked for before that is repeated. */
  isUnsure?: boolean
  /** It was our cancel that ended the order. */
  isEndedByUs?: boolean
  /** Nothing is asked or sent before this moment. */
  notBefore?: number
}

/** The attempt at an order that was decided on and not sent yet. */
export function attemptOf(decision: Decision): Attempt {
  const { plan } = decision
  const { symbol, clientOrderId } = plan
  return { ref: { symbol, clientOrderId, isConditional: isConditional(plan) }, decision }
}

/** The attempt after its placement; `sentAfter` is a moment before which nothing of it was sent. */
export function afterPlacement(
  attempt: Attempt,
  placement: Placement,
  now: number,
  rule: AbsenceRule,
  sentAfter?: number,
): Attempt {
  const { doubt, decision, ...rest } = attempt
  if (placement.outcome === 'done') {
    // An answer belongs to this request; the stream may report what a former owner sent.
    const { doubt: _answered, ...answered } = attempt
    return afterFinding(placement.source === 'stream' ? attempt : answered, placement.order, now)
  }
  // An order in place of a former owner's possible one is decided on anew.
  const unsent = doubt?.isInherited === true ? { ...rest, doubt } : attempt
  if (placement.outcome === 'withheld') return { ...unsent, notBefore: now + askAgainMs }
  if (placement.outcome === 'refused') {
    // A venue that is asked too often has done nothing: the order in doubt may be sent again.
    if (doubt !== undefined && isTooOften(placement)) return { ...unsent, notBefore: now + tooOftenMs }
    return { ...attempt, refusal: { code: placement.code, error: placement.error } }
  }
  const open = doubtFrom(now, {
    rule,
    notAbsentBefore: absenceCountsAfterSending(now),
    sentAfter,
    isImmediate: decision !== undefined && isImmediate(decision.plan),
    isThere: placement.isThere === true,
  })
  // The order under the name may be one that a former owner decided on.
  const isOurs = doubt?.mayBeFormers !== true || !open.isThere
  return {
    ...rest,
    ...(decision && isOurs && { decision }),
    unansweredSince: attempt.unansweredSince ?? now,
    doubt: doubt === undefined ? open : doubtAgain(doubt, open),
  }
}

const tooOftenMs = 1000

/**
 * The attempt after a look-up; `absent` once the order is proven never to have reached the venue. One that was there,
 * and is proven not to be any more, has ended: venues forget those.
 */
export function afterLookUp(
  attempt: Attempt,
  lookUp: LookUp,
  askedAt: number,
  now: number,
  rule: AbsenceRule,
): Attempt | 'absent' {
  if (lookUp.outcome === 'found') return afterFinding(attempt, lookUp.order, now)
  const { found } = attempt
  // Orders found once are there: a read that lags cannot make them absent again.
  if (found !== undefined && attempt.doubt === undefined)
    return { ...attempt, notBefore: now + pauseAfter(now - (attempt.cancelingSince ?? now)) }
  const doubt = attempt.doubt ?? doubtFrom(now, { rule, notAbsentBefore: absenceCountsAfterSending(now) })
  const asked = lookUp.outcome === 'absent' ? sawAbsence(doubt, askedAt, now, lookUp) : sawNothing(doubt, now)
  if (!isProvenAbsent(asked)) {
    return { ...attempt, doubt: asked, ...(found !== undefined && { notBefore: asked.nextLookUpAt }) }
  }
  return found === undefined ? 'absent' : afterFinding(attempt, { ...found, status: 'canceled' }, now)
}

/** The step that looks up an order, as thoroughly as proves something now. */
export function lookUpOf({ doubt }: { doubt?: Doubt | undefined }, ref: OrderRef, now: number) {
  const depth = doubt === undefined ? 'usual' : depthOf(doubt, now)
  return { do: 'lookUp', ref, ...(depth === 'everywhere' && { depth }) } as const
}

/** The attempt once it is proven that nothing of it reached the venue; its order may have to be decided anew. */
export function anew(
  { ref, decision, isExit, unansweredSince, refusal }: Attempt,
  isDecided: boolean,
): Attempt {
  return {
    ref,
    ...(isExit === true && { isExit }),
    ...((isDecided || refusal) && decision && { decision }),
    ...(refusal && { refusal }),
    ...(unansweredSince !== undefined && { unansweredSince }),
  }
}

/** The attempt after a cancel; where its answer says nothing of the order, that is asked for before it is repeated. */
export function afterCancel(
  attempt: Attempt,
  cancellation: Cancellation,
  now: number,
  rule: AbsenceRule,
): Attempt {
  const begun = { ...attempt, cancelingSince: attempt.cancelingSince ?? now }
  switch (cancellation.outcome) {
    case 'canceled': {
      const ended = cancellation.order ?? (attempt.found && { ...attempt.found, status: 'canceled' })
      return ended === undefined
        ? { ...begun, isUnsure: true, notBefore: now + askAgainMs }
        : { ...afterFinding(begun, ended, now), isEndedByUs: true }
    }
    case 'gone': {
      if (cancellation.order === undefined) return missed(begun, now, rule)
      // One that was sent before may have ended it, though reads showed the order open behind that.
      const isUnsure = attempt.isUnsure === true || attempt.cancelingSince !== undefined
      return afterFinding({ ...begun, ...(isUnsure && { isUnsure }) }, cancellation.order, now)
    }
    case 'refused':
    case 'unknown':
      return { ...begun, isUnsure: true, notBefore: now + pauseAfter(now - begun.cancelingSince) }
    case 'withheld':
      // Nothing was sent: for how long the venue does not end the order counts from the next cancel on.
      return { ...attempt, cancelingSince: now, notBefore: now + askAgainMs }
    case 'heldBack':
      return { ...begun, notBefore: now + pauseAfter(now - begun.cancelingSince) }
  }
}

/** Nothing was there to be canceled, nor to be seen: whether it filled may show only later. */
function missed(attempt: Attempt, now: number, rule: AbsenceRule): Attempt {
  const notBefore = now + askAgainMs
  const notAbsentBefore = attempt.found === undefined ? absenceCountsAfterSending(now) : now
  const doubt = attempt.doubt ?? doubtFrom(now, { rule, notAbsentBefore })
  return { ...attempt, doubt: { ...doubt, nextLookUpAt: notBefore }, notBefore }
}

/** The attempt after the venue reported the state of its order. */
export function afterUpdate(attempt: Attempt, order: VenueOrder, now: number): Attempt {
  return afterFinding(attempt, order, now)
}

/** True for an order that the venue has and that did not end. */
export function isOpenOrder({ found }: Attempt): boolean {
  return found !== undefined && !isTerminal(found)
}

function afterFinding(attempt: Attempt, found: VenueOrder, now: number): Attempt {
  const { doubt, isUnsure, refusal, decision, ...rest } = attempt
  const isEndedByUs = isUnsure === true && found.status === 'canceled'
  const seen = {
    ...rest,
    ...(decision && doubt?.mayBeFormers !== true && { decision }),
    ...(refusal && doubt === undefined && { refusal }),
    found,
    foundAt: attempt.foundAt ?? now,
    ...(isEndedByUs && { isEndedByUs }),
  }
  return isTerminal(found) ? seen : { ...seen, notBefore: now + askAgainMs }
}

/** True when the fate of the order has been unknown for so long that its command is given up. */
export function isGivenUpOn({ doubt }: Attempt, now: number): boolean {
  return doubt !== undefined && (isGivenUp(doubt.since, now) || isUnprovable(doubt))
}

/** True when an order was sent and is neither settled nor proven absent. */
export function isUnderway({ decision, doubt, found, refusal }: Attempt): boolean {
  return decision !== undefined && (doubt ?? found ?? refusal) !== undefined
}

/** The steps to end an order. */
type EndingStep =
  | { do: 'wait'; until: number }
  | ReturnType<typeof lookUpOf>
  | { do: 'cancel'; ref: OrderRef }

/** Ends an order; one whose cancel had no clear answer, or found nothing, is asked for first. */
export function nextToEnd(
  { ref, found, doubt, isUnsure, notBefore = 0, cancelingSince }: Attempt,
  now: number,
): EndingStep {
  const mayGoOn = cancelingSince === undefined || now >= notBefore
  if (!mayGoOn) return { do: 'wait', until: notBefore }
  const named = found === undefined ? ref : { ...ref, venueOrderId: found.venueOrderId }
  const isOpenQuestion = isUnsure === true || (cancelingSince !== undefined && doubt !== undefined)
  return isOpenQuestion ? lookUpOf({ doubt }, named, now) : { do: 'cancel', ref: named }
}

/** Returns the found order; empty while there is none. */
export function foundOf({ found }: Attempt): readonly VenueOrder[] {
  return found === undefined ? [] : [found]
}

/** The orders with the one of this id changed. */
export function withAttempt(
  orders: readonly Attempt[],
  clientOrderId: string,
  change: (attempt: Attempt) => Attempt,
): readonly Attempt[] {
  return orders.map((attempt) => (attempt.ref.clientOrderId === clientOrderId ? change(attempt) : attempt))
}

/** The venue's answer where it was asked too often; a later question may be answered. */
const tooOften = 'E603'

/** The venue's no where it was asked too often, or not at all since it wants to be left alone: nothing was done. */
export function isTooOften({ code }: { code: string }): boolean {
  return code === tooOften
}

/** Returns the ms before an exit or a cancel is sent again, by the time for which it has been tried without success. */
export function pauseAfter(triedMs: number): number {
  if (triedMs < 5000) return 200
  return triedMs < 20_000 ? 1000 : 2000
}
