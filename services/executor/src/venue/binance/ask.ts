import type { AccountReading } from '../../domain/account.ts'
import type { LookUp, OpenOrders, Reading, VenueOrder } from '../../domain/order.ts'
import { type Codes, orderAbsent } from './codes.ts'
import { causeOf, refusalIn } from './refusal.ts'

/** What came of looking for an order. */
export async function lookUpWith(find: () => Promise<VenueOrder>): Promise<LookUp> {
  try {
    return { outcome: 'found', order: await find() }
  } catch (error) {
    if (refusalIn(error)?.code === orderAbsent) return { outcome: 'absent' }
    return { outcome: 'unreachable', cause: causeOf(error) }
  }
}

type Failure = Extract<Reading, { outcome: 'refused' | 'unreachable' }>

/** What came of reading the account. */
export async function readWith(codes: Codes, read: () => Promise<AccountReading>): Promise<Reading> {
  try {
    return { outcome: 'read', account: await read() }
  } catch (error) {
    return failureOf(error, codes)
  }
}

/** What came of reading open orders. */
export async function listWith(
  codes: Codes,
  list: () => Promise<readonly VenueOrder[]>,
): Promise<OpenOrders> {
  try {
    return { outcome: 'read', orders: await list() }
  } catch (error) {
    return failureOf(error, codes)
  }
}

function failureOf(error: unknown, codes: Codes): Failure {
  const refusal = refusalIn(error)
  if (refusal === undefined || codes.leavesOpen(refusal))
    return { outcome: 'unreachable', cause: causeOf(error) }
  return { outcome: 'refused', ...codes.meaningOf(refusal) }
}
