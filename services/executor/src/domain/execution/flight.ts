import type { Flight } from '@tripline/proto/event'
import { isTerminal, type Placement, type VenueOrder } from '../order/order.ts'
import type { Execution, Observation } from './state.ts'

/** An order that an observation shows: for the first time, as ended, or once more. */
interface ShownOrder {
  order: VenueOrder
  as: 'new' | 'ended' | 'known'
}

/** Returns the outcomes of the orders that were placed. */
export function placementsIn(
  observation: Extract<Observation, { of: 'place' | 'placeOco' }>,
): readonly Placement[] {
  return observation.of === 'place' ? [observation.placement] : observation.placements
}

/** Returns the orders that an observation shows, and that are reported; orders that a cancel finds are not its own. */
export function shownBy({ current }: Execution, observation: Observation): readonly ShownOrder[] {
  switch (observation.of) {
    case 'place':
    case 'placeOco':
      return placementsIn(observation).flatMap((placement) =>
        placement.outcome === 'done' ? [{ order: placement.order, as: 'new' as const }] : [],
      )
    case 'lookUp': {
      const { lookUp, ref } = observation
      if (lookUp.outcome !== 'found' || current.canceling !== undefined) return []
      const { order } = lookUp
      const known = current.orders?.find((attempt) => attempt.ref.clientOrderId === ref.clientOrderId)
      return [{ order, as: known?.found === undefined ? 'new' : isTerminal(order) ? 'ended' : 'known' }]
    }
    case 'cancel': {
      const { cancellation } = observation
      const order = cancellation.outcome === 'canceled' ? cancellation.order : undefined
      return order !== undefined && isTerminal(order) ? [{ order, as: 'ended' }] : []
    }
    default:
      return []
  }
}

/** The moments of the command that runs, after an observation; undefined where that adds none. */
export function flightAfter(execution: Execution, observation: Observation, now: number): Flight | undefined {
  const { flight = {} } = execution
  switch (observation.of) {
    case 'begun': {
      const isDecided = observation.by === 'place' || observation.by === 'placeOco'
      return isDecided && flight.resolvedAt === undefined ? { ...flight, resolvedAt: now } : undefined
    }
    case 'sent':
      return { ...flight, sentAt: observation.sentAt }
    case 'settle': {
      // The next command is on its way from here on.
      const { receivedAt, durableAt, pickedUpAt } = flight
      return { receivedAt, durableAt, pickedUpAt }
    }
    default: {
      const shown = shownBy(execution, observation)
      const clock = 'clockAheadMs' in observation && { clockAheadMs: observation.clockAheadMs }
      const seen = { ...flight, ...clock }
      return shown.length === 0
        ? undefined
        : shown.reduce((moments, one) => withShown(moments, one, now), seen)
    }
  }
}

function withShown(flight: Flight, { order, as }: ShownOrder, now: number): Flight {
  if (as === 'known') return flight
  return {
    ...flight,
    ...(as === 'new' && { acknowledgedAt: now }),
    ...(order.updatedAt !== null && { venueAt: order.updatedAt }),
    ...(order.status === 'filled' && { filledAt: now }),
  }
}
