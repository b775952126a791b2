import {
  isImmediate,
  isTerminal,
  type OrderPlan,
  type Placement,
  type VenueOrder,
} from '../../../domain/order/order.ts'
import type { Expectation, Expectations } from '../../account/expectation.ts'
import { type Codes, placeFailure, refusalIn, type VenueRefusal } from '../../http/refusal.ts'
import type { RestClient, Urgency } from '../../http/rest-client.ts'
import type { Venue } from '../../venue.ts'
import type { OrderUpdate } from '../stream/order-update.ts'
import { answeredWithinMs, answerOrUpdate } from './answer-or-update.ts'

/** Places an order at one of Binance's markets. */
export interface OrderEntry {
  /** Returns the path and the fields of an order's request. */
  requestOf: (order: OrderPlan) => { path: string; fields: Record<string, string> }
  readOrder: (answer: unknown, plan: OrderPlan) => VenueOrder
  /** Adds what an answer leaves out and a result shows. */
  complete: (symbol: string, order: VenueOrder) => Promise<VenueOrder>
  urgencyOf: (order: OrderPlan) => Urgency
  codes: Codes
  /** Receives each order that the venue took. */
  onPlaced: (symbol: string, order: VenueOrder) => void
  /** Waits for what the private stream reports on an order. */
  expectOrder: Expectations<OrderUpdate>['expect']
  /** True while there is a private stream that reports. */
  isLive: () => boolean
  onRefused: (refusal: VenueRefusal) => void
}

/** The placing of orders at one market of Binance, for one account. */
export function createPlace(entry: OrderEntry, restClient: RestClient): Venue['place'] {
  return async (order, onSent, permit) => {
    const expected = expectIn(entry, order)
    const answered = settled(entry, async (): Promise<Placement> => {
      const { path, fields } = entry.requestOf(order)
      const urgency = entry.urgencyOf(order)
      const request = { method: 'POST', path, fields, urgency, permit, onSent: once(onSent) } as const
      const taken = entry.readOrder(await restClient.send(request), order)
      entry.onPlaced(order.symbol, taken)
      return { outcome: 'done', order: await entry.complete(order.symbol, taken) }
    })
    try {
      const { isLive } = entry
      return await answerOrUpdate({
        answered,
        updated: outcomeByUpdate(expected, order),
        isLost: isUnknown,
        isLive,
      })
    } finally {
      expected.stop()
    }
  }
}

/** True if the outcome of a request is open. */
export function isUnknown({ outcome }: { outcome: string }): boolean {
  return outcome === 'unknown'
}

/** Waits for an order: for its end, and for one that can rest, once its answer is late, for any sign of it. */
function expectIn({ expectOrder }: OrderEntry, plan: OrderPlan): Expectation<OrderUpdate> {
  const lateAt = isImmediate(plan) ? Number.POSITIVE_INFINITY : performance.now() + answeredWithinMs
  return expectOrder(
    (expected) => isPlanned(expected, plan),
    ({ order }) => isTerminal(order) || performance.now() >= lateAt,
  )
}

/** True where the stream reports the order that was planned. Why one was turned down, only the answer says. */
export function isPlanned({ order }: OrderUpdate, { clientOrderId }: OrderPlan): boolean {
  return order.clientOrderId === clientOrderId && order.status !== 'rejected'
}

async function outcomeByUpdate(expected: Expectation<OrderUpdate>, plan: OrderPlan): Promise<Placement> {
  const early = isImmediate(plan)
    ? undefined
    : ((await expected.within(answeredWithinMs)) ?? expected.latest())
  const { order } = early ?? (await expected.settled)
  return { outcome: 'done', order, source: 'stream' }
}

type Failure = Exclude<Placement, { outcome: 'done' }>

/** Returns the outcome of an attempt to place something: its own word, or the meaning of its failure. */
export async function settled<Value>(
  { codes, onRefused }: Pick<OrderEntry, 'codes' | 'onRefused'>,
  attempt: () => Promise<Value>,
): Promise<Value | Failure> {
  try {
    return await attempt()
  } catch (error) {
    const failure = placeFailure(error, codes)
    const refusal = refusalIn(error)
    if (failure.outcome === 'refused' && refusal !== undefined) onRefused(refusal)
    return failure
  }
}

/** A request that is signed anew goes out twice and is reported once. */
export function once(listener: () => void): () => void {
  let isCalled = false
  return () => {
    if (!isCalled) listener()
    isCalled = true
  }
}
