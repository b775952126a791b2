import {
  type Cancellation,
  isTerminal,
  type LookUp,
  type OrderRef,
  type VenueOrder,
} from '../../domain/order.ts'
import { WithheldError } from '../fence.ts'
import type { Venue } from '../venue.ts'
import { type Codes, nothingToCancel, orderAbsent } from './codes.ts'
import { HeldBackError } from './limits.ts'
import { causeOf, refusalIn } from './refusal.ts'

/** How one of Binance's markets cancels an order. */
export interface OrderExit {
  /** Cancels it; answers the order where the venue tells it along with that. Throws the venue's no. */
  remove: (ref: OrderRef, seenAt?: number) => Promise<VenueOrder | undefined>
  lookUp: (ref: OrderRef) => Promise<LookUp>
  codes: Codes
}

/** The canceling of orders at one market of Binance. What is not there any more is no error. */
export function createCancel(exit: OrderExit): Venue['cancel'] {
  return async (ref, seenAt) => {
    try {
      const order = await exit.remove(ref, seenAt)
      return order === undefined ? await afterCancel(exit, ref) : { outcome: 'canceled', order }
    } catch (error) {
      if (error instanceof WithheldError) return { outcome: 'withheld' }
      if (error instanceof HeldBackError) return { outcome: 'heldBack' }
      const refusal = refusalIn(error)
      if (refusal?.code === nothingToCancel || refusal?.code === orderAbsent)
        return await afterMiss(exit, ref)
      if (refusal === undefined || exit.codes.leavesOpen(refusal))
        return { outcome: 'unknown', cause: causeOf(error) }
      return { outcome: 'refused', ...exit.codes.meaningOf(refusal) }
    }
  }
}

/**
 * The venue canceled the order without showing it, which is believed also where it is not to be seen since; a read that
 * lags behind that shows it as it was.
 */
async function afterCancel({ lookUp }: OrderExit, ref: OrderRef): Promise<Cancellation> {
  const found = await lookUp(ref)
  if (found.outcome !== 'found') return { outcome: 'canceled', order: undefined }
  const { order } = found
  return { outcome: 'canceled', order: isTerminal(order) ? order : { ...order, status: 'canceled' } }
}

/** The venue found nothing to cancel: the order ended before, or never was. */
async function afterMiss({ lookUp }: OrderExit, ref: OrderRef): Promise<Cancellation> {
  const found = await lookUp(ref)
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
