import { isGreater } from '@tripline/proto/decimal'
import { isTerminal, type VenueOrder } from '../order/order.ts'
import { readingLagMs } from './owed-fills.ts'

/** An order's progress. */
interface OrderProgress {
  filled: string
  isOver: boolean
}

/**
 * Progress of orders by the private stream, and of those that answers show further: the coins that these lock or free
 * again are yet to be reported.
 */
export interface AwaitedOrders {
  reported: ReadonlyMap<string, OrderProgress>
  answered: ReadonlyMap<string, OrderProgress & { answeredAt: number }>
}

/** No order was answered or reported. */
export const noneAwaited: AwaitedOrders = { reported: new Map(), answered: new Map() }

// Orders of which more may be answered.
const mostReported = 200

// Readings have shown an answer of so long ago, or nothing is known at all.
const shownAfterMs = 60_000

/** Returns the awaited orders after an answer about one. */
export function onceAnswered(
  { reported, answered }: AwaitedOrders,
  { clientOrderId, filled, status }: Pick<VenueOrder, 'clientOrderId' | 'filled' | 'status'>,
  answeredAt: number,
): AwaitedOrders {
  const progress = { filled, isOver: isTerminal({ status }), answeredAt }
  if (reaches(reported.get(clientOrderId), progress)) return { reported, answered }
  const isNew = ({ answeredAt: at }: { answeredAt: number }): boolean => answeredAt - at < shownAfterMs
  const others = [...answered].filter(([, order]) => isNew(order))
  return { reported, answered: new Map(others).set(clientOrderId, progress) }
}

/** Returns the awaited orders after a report of the stream. */
export function onceReported(
  { reported, answered }: AwaitedOrders,
  { clientOrderId, filled, isOver }: OrderProgress & { clientOrderId: string },
): AwaitedOrders {
  const before = reported.get(clientOrderId)
  const progress = before !== undefined && reaches(before, { filled, isOver }) ? before : { filled, isOver }
  const others = [...reported].filter(([id]) => id !== clientOrderId)
  const awaited = answered.get(clientOrderId)
  const isMet = awaited !== undefined && reaches(progress, awaited)
  return {
    reported: new Map([...others.slice(-mostReported), [clientOrderId, progress]]),
    answered: isMet ? new Map([...answered].filter(([id]) => id !== clientOrderId)) : answered,
  }
}

/** Returns orders still awaited beside a reading: it shows answers of a while before it was asked for. */
export function awaitedBeside({ reported, answered }: AwaitedOrders, askedAt: number): AwaitedOrders {
  const isNew = ({ answeredAt }: { answeredAt: number }): boolean => answeredAt > askedAt - readingLagMs
  return { reported, answered: new Map([...answered].filter(([, order]) => isNew(order))) }
}

function reaches(known: OrderProgress | undefined, order: OrderProgress): boolean {
  if (known === undefined) return false
  return known.isOver || (!order.isOver && !isGreater(order.filled, known.filled))
}
