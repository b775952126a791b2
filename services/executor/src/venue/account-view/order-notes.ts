import { isZero } from '@tripline/proto/decimal'
import type { LookUp, OrderPlan, OrderRef, Placement, VenueOrder } from '../../domain/order.ts'
import type { VenueConnections } from '../dispatcher.ts'
import { createSharing, type Share } from '../shared-at.ts'
import { createShownAfter, type ShownAfter } from '../shown-after.ts'
import type { Venue } from '../venue.ts'

/** Hears what becomes of the orders that we send for an account. */
export interface OrderNotes {
  onSending: (order: OrderPlan) => void
  onAnswer: (symbol: string, order: VenueOrder) => void
  onRefusal: (clientOrderId: string) => void
}

/** Where what becomes of an account's orders is passed on to all clients of that account. */
interface NoteBoard extends ShownAfter {
  notes: OrderNotes
  /** Hears all that is noted, until that is stopped. */
  listen: (listener: OrderNotes) => () => void
  stop: () => void
}

const shareBoard = createSharing<NoteBoard>()

/** The board of an account, as one client has it. */
export function noteBoardOf(connections: VenueConnections, account: string): Share<NoteBoard> {
  return shareBoard(connections, account, createNoteBoard)
}

function createNoteBoard(): NoteBoard {
  const listeners = new Set<OrderNotes>()
  const tell = (act: (listener: OrderNotes) => void): void => {
    for (const listener of listeners) act(listener)
  }
  return {
    notes: {
      onSending: (order) => tell(({ onSending }) => onSending(order)),
      onAnswer: (symbol, order) => tell(({ onAnswer }) => onAnswer(symbol, order)),
      onRefusal: (clientOrderId) => tell(({ onRefusal }) => onRefusal(clientOrderId)),
    },
    listen: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    stop: () => listeners.clear(),
    ...createShownAfter(),
  }
}

type Noted = Pick<Venue, 'place' | 'lookUp' | 'cancel'>

/**
 * What a venue answers to an order: how it stands once it met what it could, or perhaps that it is open, before that is
 * told which it meets at once.
 */
type Answers = 'final' | 'early'

/** The same calls, of which it is noted what they say of orders, and when they changed something. */
export function withNotes(
  { place, lookUp, cancel }: Noted,
  notes: OrderNotes,
  answers: Answers,
  changed: () => void,
): Noted {
  return {
    place: async (order, onSent, isPermitted) => {
      const noteSending = (): void => notes.onSending(order)
      noteSending()
      // It may have waited for its turn.
      const placement = await place(order, andThen(noteSending, onSent), isPermitted)
      changed()
      if (answers === 'early' && restsUnmet(placement))
        setTimeout(() => notePlacement(order, placement, notes), metWithinMs).unref()
      else notePlacement(order, placement, notes)
      return placement
    },
    lookUp: async (ref, depth) => noteFound(ref, await lookUp(ref, depth), notes),
    cancel: async (ref, seenAt) => {
      const cancellation = await cancel(ref, seenAt)
      changed()
      const order = 'order' in cancellation ? cancellation.order : undefined
      if (order !== undefined) notes.onAnswer(ref.symbol, order)
      return cancellation
    },
  }
}

function andThen(first: () => void, second: () => void): () => void {
  return () => {
    first()
    second()
  }
}

// Executions follow the order that met them by some ms.
const metWithinMs = 300

function restsUnmet(placement: Placement): boolean {
  if (placement.outcome !== 'done') return false
  const { status, filled } = placement.order
  return status === 'open' && isZero(filled)
}

function notePlacement({ clientOrderId, symbol }: OrderPlan, placement: Placement, notes: OrderNotes): void {
  if (placement.outcome === 'done') notes.onAnswer(symbol, placement.order)
  else if (placement.outcome !== 'unknown') notes.onRefusal(clientOrderId)
}

/** Notes what was found of an order, and answers it. */
export function noteFound({ symbol }: OrderRef, found: LookUp, notes: OrderNotes): LookUp {
  if (found.outcome === 'found') notes.onAnswer(symbol, found.order)
  return found
}

type PlaceOco = NonNullable<Venue['placeOco']>

/** The same placing of pairs, of which it is noted what it says of both orders, and when. */
export function withPairNotes(placeOco: PlaceOco, notes: OrderNotes, changed: () => void): PlaceOco {
  return async (pair, onSent, isPermitted) => {
    for (const order of pair) notes.onSending(order)
    const placements = await placeOco(pair, onSent, isPermitted)
    changed()
    notePlacement(pair[0], placements[0], notes)
    notePlacement(pair[1], placements[1], notes)
    return placements
  }
}
