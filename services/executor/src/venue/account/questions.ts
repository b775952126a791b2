import type { AccountReading, Reading } from '../../domain/account/account.ts'
import type { AccountStatement, StatementReading } from '../../domain/account/statement.ts'
import type { LookUp, LookUpDepth, OpenOrders, StreamWitness, VenueOrder } from '../../domain/order/order.ts'
import type { Endpoint } from '../endpoint.ts'
import { type Codes, causeOf, HeldBackError, readFailure } from '../http/refusal.ts'
import { keptForOrders } from './keep-view.ts'

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

/** Returns the outcome of reading the account. */
export async function readWith(codes: Codes, read: () => Promise<AccountReading>): Promise<Reading> {
  try {
    return { outcome: 'read', account: await read() }
  } catch (error) {
    return readFailure(error, codes)
  }
}

/** Returns the outcome of reading open orders, once they show what was last done. */
export async function listWith(
  codes: Codes,
  shown: () => Promise<void> | undefined,
  list: () => Promise<readonly VenueOrder[]>,
): Promise<OpenOrders> {
  try {
    await shown()
    return { outcome: 'read', orders: await list() }
  } catch (error) {
    return readFailure(error, codes)
  }
}

/** Reads a statement; it is a courtesy, and leaves half of what the venue allows to orders. */
export async function statementWith(
  codes: Codes,
  { endpoint, shown }: { endpoint: Endpoint; shown: () => Promise<void> | undefined },
  read: () => Promise<AccountStatement>,
): Promise<StatementReading> {
  try {
    endpoint.refuseWhileBanned()
    if (endpoint.budgetLeft() <= keptForOrders)
      throw new HeldBackError('half of the requests are used, and the rest is kept for orders')
    await shown()
    return { outcome: 'read', statement: await read() }
  } catch (error) {
    return readFailure(error, codes)
  }
}
