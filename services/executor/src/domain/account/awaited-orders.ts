import { isGreater } from '@tripline/proto/decimal'
import { isTerminal, type VenueOrder } from '../order/order.ts'
import { readingLagMs } from './owed-fills.ts'

/** How far an order is. */
interface OrderProgress {
  filled: string
  isOver: boolean
}

/**
 * How far orders are by the private stream, and those that answers show further: what these lock of a coin, or free
 * again, is yet to be told.
 */
export interface AwaitedOrders {
  told: ReadonlyMap<string, OrderProgress>
  answered: ReadonlyMap<string, OrderProgress & { answeredAt: number }>
}

/** No order was answered, or told of. */
export const noneAwaited: AwaitedOrders = { told: new Map(), answered: new Map() }

// Orders of which more may be answered.
const mostTold = 200

// What was answered so long ago a reading has shown, or nothing is known at all.
const shownAfterMs = 60_000

/** What is awaited once an answer told how an order stands. */
export function onceAnswered(
  { told, answered }: AwaitedOrders,
  { clientOrderId, filled, status }: Pick<VenueOrder, 'clientOrderId' | 'filled' | 'status'>,
  answeredAt: number,
): AwaitedOrders {
  const progress = { filled, isOver: isTerminal({ status }), answeredAt }
  if (reaches(told.get(clientOrderId), progress)) return { told, answered }
  const isNew = ({ answeredAt: at }: { answeredAt: number }): boolean => answeredAt - at < shownAfterMs
  const others = [...answered].filter(([, order]) => isNew(order))
  return { told, answered: new Map(others).set(clientOrderId, progress) }
}

/** What is awaited once the stream told how an order stands. */
export function onceTold(
  { told, answered }: AwaitedOrders,
  { clientOrderId, filled, isOver }: OrderProgress & { clientOrderId: string },
): AwaitedOrders {
  const before = told.get(clientOrderId)
  const progress = before !== undefined && reaches(before, { filled, isOver }) ? before : { filled, isOver }
  const others = [...told].filter(([id]) => id !== clientOrderId)
  const awaited = answered.get(clientOrderId)
  const isMet = awaited !== undefined && reaches(progress, awaited)
  return {
    told: new Map([...others.slice(-mostTold), [clientOrderId, progress]]),
    answered: isMet ? new Map([...answered].filter(([id]) => id !== clientOrderId)) : answered,
  }
}

/** What is still awaited beside a reading: it shows what was answered a while before it was asked for. */
export function awaitedBeside({ told, answered }: AwaitedOrders, askedAt: number): AwaitedOrders {
  const isNew = ({ answeredAt }: { answeredAt: number }): boolean => answeredAt > askedAt - readingLagMs
  return { told, answered: new Map([...answered].filter(([, order]) => isNew(order))) }
}

function reaches(known: OrderProgress | undefined, order: OrderProgress): boolean {
  if (known === undefined) return false
  return known.isOver || (!order.isOver && !isGreater(order.filled, known.filled))
}
