import type { LookUp, LookUpDepth, StreamWitness, VenueOrder } from '../../domain/order/order.ts'
import { causeOf } from '../http/refusal.ts'

/** Searches for an order. */
export interface OrderSearch {
  /** By its name. */
  byName: () => Promise<VenueOrder | undefined>
  /** In lists, where its name does not show it in every place; undefined where none of them has it. */
  elsewhere?: () => Promise<VenueOrder | undefined>
  /** The last that the private stream reported on it. */
  lastUpdate: () => VenueOrder | undefined
  stream: { witness: () => StreamWitness | undefined; ping: () => void }
}

/**
 * Returns the outcome of looking for an order. An order that its name does not show may be in the private stream's
 * reports, which are believed: reads lag behind it.
 */
export async function lookUpWith(
  { byName, elsewhere, lastUpdate, stream }: OrderSearch,
  depth: LookUpDepth,
): Promise<LookUp> {
  const isEverywhere = depth === 'everywhere'
  // A stream that shows now that it lives has reported what was before.
  if (isEverywhere) stream.ping()
  try {
    const order = (await byName()) ?? lastUpdate() ?? (isEverywhere ? await elsewhere?.() : undefined)
    if (order !== undefined) return { outcome: 'found', order }
    return { outcome: 'absent', ...(isEverywhere && { depth }), stream: stream.witness() }
  } catch (error) {
    return { outcome: 'unreachable', cause: causeOf(error) }
  }
}
