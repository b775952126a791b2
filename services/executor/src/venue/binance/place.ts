import type { OrderPlan, Placement, VenueOrder } from '../../domain/order.ts'
import type { Venue } from '../venue.ts'
import type { Codes } from './codes.ts'
import { type Desk, WithheldError } from './desk.ts'
import { HeldBackError, type Limits, type Urgency } from './limits.ts'
import { causeOf, refusalIn, type VenueRefusal } from './refusal.ts'

/** How one of Binance's markets takes an order. */
export interface OrderEntry {
  /** Where an order is posted to, and what of it. */
  requestOf: (order: OrderPlan) => { path: string; fields: Record<string, string> }
  readOrder: (answer: unknown, plan: OrderPlan) => VenueOrder
  urgencyOf: (order: OrderPlan) => Urgency
  codes: Codes
  /** Hears of each order that the venue took. */
  onPlaced: (order: VenueOrder) => void
  onRefused: (refusal: VenueRefusal) => void
}

/** Who places, and whether it may at the moment that a request is signed. */
export interface Placer {
  desk: Desk
  limits: Limits
  mayPlace: () => boolean
}

/** The placing of orders at one market of Binance, for one account. */
export function createPlace(entry: OrderEntry, placer: Placer): Venue['place'] {
  return async (order, onSent, isPermitted) =>
    await settled(entry, placer, entry.urgencyOf(order), async () => {
      const { path, fields } = entry.requestOf(order)
      const permit = permitOf(placer, isPermitted)
      const answer = await placer.desk.send({ method: 'POST', path, fields, permit, onSent: once(onSent) })
      const taken = entry.readOrder(answer, order)
      entry.onPlaced(taken)
      return { outcome: 'done', order: taken }
    })
}

/** What is asked at the moment of signing. */
export function permitOf(
  { mayPlace }: Pick<Placer, 'mayPlace'>,
  isPermitted: () => boolean = () => true,
): () => boolean {
  return () => mayPlace() && isPermitted()
}

type Failure = Exclude<Placement, { outcome: 'done' }>

/** What came of an attempt to place something: its own word, or what its failure means. */
export async function settled<Value>(
  { codes, onRefused }: Pick<OrderEntry, 'codes' | 'onRefused'>,
  { limits }: Placer,
  urgency: Urgency,
  attempt: () => Promise<Value>,
): Promise<Value | Failure> {
  const objection = limits.objectionTo(urgency)
  if (objection !== undefined) return notSent(objection)
  try {
    return await attempt()
  } catch (error) {
    if (error instanceof WithheldError) return { outcome: 'withheld' }
    if (error instanceof HeldBackError) return notSent(error.message)
    const refusal = refusalIn(error)
    if (refusal === undefined || codes.leavesOpen(refusal))
      return { outcome: 'unknown', cause: causeOf(error) }
    onRefused(refusal)
    return { outcome: 'refused', ...codes.meaningOf(refusal) }
  }
}

function notSent(objection: string): Failure {
  return { outcome: 'refused', code: 'E603', error: `Not sent: ${objection}` }
}

/** A request that is signed anew goes out twice and is told of once. */
export function once(listener: () => void): () => void {
  let isTold = false
  return () => {
    if (!isTold) listener()
    isTold = true
  }
}
