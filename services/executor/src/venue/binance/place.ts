import type { Credentials } from '@tripline/proto/user-config'
import { receiveWindowMs } from '../../domain/doubt.ts'
import type { OrderPlan, Placement, VenueOrder } from '../../domain/order.ts'
import type { VenueConnections } from '../dispatcher.ts'
import type { Venue } from '../venue.ts'
import { withDeadline } from '../with-deadline.ts'
import { causeOf } from './cause.ts'
import type { Codes } from './codes.ts'
import { refusalIn } from './codes.ts'
import { postForm } from './post-form.ts'
import { createSigner } from './signer.ts'

// Longer than the receive window: an answer that comes later is the exception, and is looked up.
const orderDeadlineMs = 4000

/** How one of Binance's markets takes an order. */
export interface OrderEntry {
  url: URL
  fieldsOf: (order: OrderPlan) => Record<string, string>
  readOrder: (answer: unknown) => VenueOrder
  codes: Codes
}

/** Who sends orders, by which way, and whether one may be sent at the moment it is signed. */
export interface Sender {
  credentials: Credentials
  connections: VenueConnections
  mayPlace: () => boolean
}

/** The placing of orders at one market of Binance, for one account. */
export function createPlace(
  { url, fieldsOf, readOrder, codes }: OrderEntry,
  { credentials, connections, mayPlace }: Sender,
): Venue['place'] {
  const sign = createSigner(credentials, receiveWindowMs)
  return async (order, onSent) => {
    if (!mayPlace()) return { outcome: 'withheld' }
    const stopListening = connections.onOrderSent(order.clientOrderId, onSent)
    try {
      const form = sign(fieldsOf(order), Date.now())
      const posting = postForm(connections.dispatcher, url, form, orderDeadlineMs)
      return { outcome: 'done', order: readOrder(await withDeadline(posting, orderDeadlineMs)) }
    } catch (error) {
      return placementOf(error, codes)
    } finally {
      stopListening()
    }
  }
}

function placementOf(error: unknown, codes: Codes): Placement {
  const refusal = refusalIn(error)
  if (refusal !== undefined && !codes.leavesOpen(refusal))
    return { outcome: 'refused', ...codes.meaningOf(refusal) }
  return { outcome: 'unknown', cause: causeOf(error) }
}
