import type { AccountReading, Reading } from '../../domain/account/account.ts'
import type { LookUp, LookUpDepth, OpenOrders, OrderRef, VenueOrder } from '../../domain/order/order.ts'
import { type Codes, causeOf, readFailure, refusalIn } from '../http/refusal.ts'
import { orderAbsent, orderArchived } from './codes.ts'
import type { Following } from './following.ts'

/** Searches for an order at one market of Binance. */
export interface OrderSearch {
  /** By its name; throws the venue's no. */
  byName: () => Promise<VenueOrder>
  /** In its lists; undefined where none of them has it. */
  elsewhere: () => Promise<VenueOrder | undefined>
  following: Pick<Following, 'lastUpdateOf' | 'witness' | 'ping'>
}

/**
 * Returns the outcome of looking for an order. An order that its name does not show may be in the private stream's
 * reports, which are believed: reads lag behind it.
 */
export async function lookUpWith(search: OrderSearch, ref: OrderRef, depth: LookUpDepth): Promise<LookUp> {
  const { byName, elsewhere, following } = search
  // A stream that shows now that it lives has reported what was before.
  if (depth === 'everywhere') following.ping()
  try {
    const order = (await orAbsent(byName)) ?? following.lastUpdateOf(ref)
    const found = order ?? (depth === 'everywhere' ? await elsewhere() : undefined)
    if (found !== undefined) return { outcome: 'found', order: found }
    return { outcome: 'absent', ...(depth === 'everywhere' && { depth }), stream: following.witness() }
  } catch (error) {
    return { outcome: 'unreachable', cause: causeOf(error) }
  }
}

async function orAbsent(find: () => Promise<VenueOrder>): Promise<VenueOrder | undefined> {
  try {
    return await find()
  } catch (error) {
    const code = refusalIn(error)?.code
    if (code === orderAbsent || code === orderArchived) return undefined
    throw error
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

/** Returns the outcome of reading open orders. */
export async function listWith(
  codes: Codes,
  list: () => Promise<readonly VenueOrder[]>,
): Promise<OpenOrders> {
  try {
    return { outcome: 'read', orders: await list() }
  } catch (error) {
    return readFailure(error, codes)
  }
}
