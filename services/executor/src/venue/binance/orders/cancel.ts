import {
  type Cancellation,
  isTerminal,
  type LookUp,
  type OrderRef,
  type VenueOrder,
} from '../../../domain/order/order.ts'
import type { Expectation } from '../../account/expectation.ts'
import { askedAgain } from '../../account/shown-after.ts'
import { type Codes, changeFailure, HeldBackError, refusalIn } from '../../http/refusal.ts'
import type { Venue } from '../../venue.ts'
import { nothingToCancel, orderAbsent } from '../codes.ts'
import type { Following } from '../stream/following.ts'
import type { OrderUpdate } from '../stream/order-update.ts'
import { answeredWithinMs, answerOrUpdate } from './answer-or-update.ts'
import { isUnknown } from './place.ts'

/** Cancels an order at one of Binance's markets. */
export interface OrderExit {
  /** Cancels it; returns the order where the venue reports it along with that. Throws the venue's no. */
  remove: (ref: OrderRef, seenAt?: number) => Promise<VenueOrder | undefined>
  lookUp: (ref: OrderRef) => Promise<LookUp>
  /** Waits for the end of the order as the private stream reports it. */
  expectEnd: Following['expectEnd']
  isLive: () => boolean
  codes: Codes
}

/** The canceling of orders at one market of Binance. An order that is not there any more is no error. */
export function createCancel(exit: OrderExit): Venue['cancel'] {
  return async (ref, seenAt) => {
    const expected = exit.expectEnd(ref)
    const answered = answerTo(exit, ref, { seenAt, expected })
    try {
      return await answerOrUpdate({
        answered,
        updated: outcomeByUpdate(expected),
        isLost: isUnknown,
        isLive: exit.isLive,
      })
    } finally {
      expected.stop()
    }
  }
}

/** When the order was listed, and what the stream reports on its end. */
interface Known {
  seenAt: number | undefined
  expected: Expectation<OrderUpdate>
}

async function answerTo(exit: OrderExit, ref: OrderRef, { seenAt, expected }: Known): Promise<Cancellation> {
  try {
    const order = await exit.remove(ref, seenAt)
    return order === undefined ? await afterCancel(exit, ref, expected) : { outcome: 'canceled', order }
  } catch (error) {
    if (error instanceof HeldBackError) return { outcome: 'heldBack' }
    const code = refusalIn(error)?.code
    if (code === nothingToCancel || code === orderAbsent) return await afterMiss(exit, ref, expected)
    return changeFailure(error, exit.codes)
  }
}

/** The end of the order as the stream reports it; one that it reported before the request was not brought about by that. */
async function outcomeByUpdate(expected: Expectation<OrderUpdate>): Promise<Cancellation> {
  const before = expected.latest()
  const since = await expected.within(answeredWithinMs)
  if (since === undefined && before !== undefined) return { outcome: 'gone', order: before.order }
  const { order } = since ?? (await expected.settled)
  return { outcome: order.status === 'canceled' ? 'canceled' : 'gone', order }
}

/** The end of the order as the stream reported it, or reports it shortly: then there is nothing to look up. */
async function endByUpdate(
  { isLive }: OrderExit,
  expected: Expectation<OrderUpdate>,
): Promise<VenueOrder | undefined> {
  const update = expected.latest() ?? (isLive() ? await expected.within(answeredWithinMs) : undefined)
  return update?.order
}

/**
 * The venue canceled the order without showing it, which is believed also where it is not to be seen since; a read that
 * lags behind that shows it as it was.
 */
async function afterCancel(
  exit: OrderExit,
  ref: OrderRef,
  expected: Expectation<OrderUpdate>,
): Promise<Cancellation> {
  const ended = await endByUpdate(exit, expected)
  if (ended !== undefined) return { outcome: 'canceled', order: ended }
  const found = await exit.lookUp(ref)
  if (found.outcome !== 'found') return { outcome: 'canceled', order: undefined }
  const { order } = found
  return { outcome: 'canceled', order: isTerminal(order) ? order : { ...order, status: 'canceled' } }
}

/** The venue found nothing to cancel: the order ended before, or never was; a look-up may be behind that. */
async function afterMiss(
  exit: OrderExit,
  ref: OrderRef,
  expected: Expectation<OrderUpdate>,
): Promise<Cancellation> {
  const ended = await endByUpdate(exit, expected)
  if (ended !== undefined) return { outcome: 'gone', order: ended }
  const found = await askedAgain(async () => await exit.lookUp(ref), isSure)
  switch (found.outcome) {
    case 'absent':
      return { outcome: 'gone', order: undefined }
    case 'unreachable':
      return { outcome: 'unknown', cause: found.cause }
    case 'found':
      if (isTerminal(found.order)) return { outcome: 'gone', order: found.order }
      return {
        outcome: 'unknown',
        cause: 'the exchange shows the order as open, and finds nothing to cancel',
      }
  }
}

function isSure(found: LookUp): boolean {
  return found.outcome === 'unreachable' || (found.outcome === 'found' && isTerminal(found.order))
}
