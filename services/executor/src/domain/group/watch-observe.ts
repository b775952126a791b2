import type { CommandResult } from '@tripline/proto/command-result'
import { isLess } from '@tripline/proto/decimal'
import {
  type Attempt,
  afterCancel,
  afterLookUp,
  afterPlacement,
  afterUpdate,
  anew,
  askAgainMs,
  type Decision,
  isOpenOrder,
  isTooOften,
  withAttempt,
} from '../order/attempt.ts'
import { doubtFrom } from '../order/doubt.ts'
import {
  type Cancellation,
  isTerminal,
  type LookUp,
  type OrderRef,
  type Placement,
  type VenueOrder,
} from '../order/order.ts'
import type { Quote } from '../order/reference.ts'
import type { StoredLegs } from './legs-record.ts'
import { type Notice, unquoted, type Watch, withRecord } from './watch.ts'

/** Finding of a step of a watch, or of the venue of its own accord. */
export type WatchObservation =
  /** Orders were given to the connection. */
  | { of: 'sent'; decisions: readonly Decision[]; sentAt: number; epoch?: number | undefined }
  /** `sentAfter` is a moment before which nothing of it was sent. */
  | { of: 'place'; clientOrderId: string; placement: Placement; sentAfter?: number; sentAt?: number }
  | { of: 'lookUp'; ref: OrderRef; lookUp: LookUp; askedAt: number }
  | { of: 'cancel'; ref: OrderRef; cancellation: Cancellation }
  /** The venue reports an order. */
  | { of: 'update'; order: VenueOrder }
  /** Events meanwhile are not known. */
  | { of: 'gap' }
  | { of: 'quote'; quote: Quote | null }
  /** The symbol's open orders, as they were listed. */
  | { of: 'list'; orders: readonly VenueOrder[] }
  /** Its record is stored so in its bucket from now on. */
  | { of: 'record'; stored: StoredLegs }
  /** A change of it is emitted under this name. */
  | { of: 'change'; phase: string; notice: Notice }
  /** The outcome of a command that was given up as unknown became known. */
  | { of: 'amended'; outcome: CommandResult }

/** The watch after an observation. */
export function observeWatch(watch: Watch, observation: WatchObservation, now: number): Watch {
  const change = (clientOrderId: string, to: (attempt: Attempt) => Attempt): Watch =>
    changeIn(watch, clientOrderId, to)
  switch (observation.of) {
    case 'place': {
      const { clientOrderId, placement, sentAfter } = observation
      const isToStand = watch.stored.record.takenBack !== undefined
      // By the quote that a stop was placed by, the other of a pair is not sent too.
      return changeIn(unquoted(watch), clientOrderId, (attempt) =>
        isToStand && placement.outcome === 'refused' && isTooOften(placement)
          ? { ...attempt, notBefore: now + 5 * askAgainMs }
          : afterPlacement(attempt, placement, now, watch.absence, sentAfter),
      )
    }
    case 'lookUp': {
      const { ref, lookUp, askedAt } = observation
      return change(ref.clientOrderId, (attempt) => afterAsking(attempt, lookUp, askedAt, now, watch))
    }
    case 'cancel': {
      const { ref, cancellation } = observation
      return change(ref.clientOrderId, (attempt) => afterCancel(attempt, cancellation, now, watch.absence))
    }
    case 'update': {
      const { order } = observation
      return change(order.clientOrderId, (attempt) =>
        isUpdate(attempt, order) ? afterUpdate(attempt, order, now) : attempt,
      )
    }
    case 'quote':
      return { ...watch, quote: observation.quote }
    case 'record':
      return withRecord(watch, observation.stored)
    case 'sent':
    case 'change':
    case 'amended':
      return watch
    case 'gap':
      return { ...watch, attempts: watch.attempts.map((attempt) => asked(attempt, watch, now)) }
    case 'list': {
      const { orders } = observation
      return { ...watch, attempts: watch.attempts.map((attempt) => listed(attempt, orders, watch, now)) }
    }
  }
}

function changeIn(watch: Watch, clientOrderId: string, to: (attempt: Attempt) => Attempt): Watch {
  return { ...watch, attempts: withAttempt(watch.attempts, clientOrderId, to) }
}

function afterAsking(
  attempt: Attempt,
  lookUp: LookUp,
  askedAt: number,
  now: number,
  { absence }: Watch,
): Attempt {
  if (lookUp.outcome === 'found' && !isUpdate(attempt, lookUp.order)) {
    return attempt.found === undefined ? attempt : afterUpdate(attempt, attempt.found, now)
  }
  const after = afterLookUp(attempt, lookUp, askedAt, now, absence)
  return after === 'absent' ? anew(attempt, true) : after
}

/** Events come twice and out of their order: an order that ended does not live again, and fills do not shrink. */
function isUpdate({ found }: Attempt, order: VenueOrder): boolean {
  if (found === undefined) return true
  return !isTerminal(found) && !isLess(order.filled, found.filled)
}

/** The order is asked for. One that a read lacks that lags was there by now all the same. */
function asked(attempt: Attempt, { absence }: Watch, now: number): Attempt {
  if (!isOpenOrder(attempt)) return attempt
  return { ...attempt, doubt: doubtFrom(now, { rule: absence, notAbsentBefore: now }) }
}

/** An order that is not in the list may have ended, or the list lags. */
function listed(attempt: Attempt, orders: readonly VenueOrder[], watch: Watch, now: number): Attempt {
  const order = orders.find(({ clientOrderId }) => clientOrderId === attempt.ref.clientOrderId)
  if (order === undefined) return asked(attempt, watch, now)
  return isUpdate(attempt, order) ? afterUpdate(attempt, order, now) : attempt
}
