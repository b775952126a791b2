import { isOfSameLeg } from '@tripline/proto/client-order-id'
import { OrderOutcome } from '@tripline/proto/command-result'
import type { FlightView } from '@tripline/proto/http/execution'
import { z } from 'zod'
import { priceText } from '../../shared/number-text.ts'
import { orderStatusText } from '../../shared/order-status-text.ts'

type FlightEvent = FlightView['events'][number]
type Result = Record<string, unknown>

const OrderEnd = z.object({
  client_order_id: z.string(),
  venue_order_id: z.string(),
  quantity: z.string(),
  filled: z.string(),
  average_price: z.string().nullable(),
  fee: z.object({ amount: z.string(), coin: z.string() }).nullish(),
})
type OrderEnd = z.infer<typeof OrderEnd>

/** The events of a command's orders besides its answer. */
interface LaterOrders {
  /** Those that were placed behind the answer, for one that it names, in their order. */
  placed: OrderEnd[]
  /** The ends of orders, by their ids of ours. */
  ends: Map<string, OrderEnd & { status: 'filled' | 'canceled' }>
}

/**
 * Returns the result of a command with the present state of its orders, each with its `standing` in words: its answer
 * has their state then, and its events go on behind that.
 */
export function presentResult(result: Result | null, events: readonly FlightEvent[]): Result | null {
  if (result === null) return null
  const later = laterOrders(events)
  const filled = new Set<string>()
  const present = withOrders(result, (order) => {
    const now = presentOrder(order, later)
    if (now !== order && isPositive(now.filled)) filled.add(order.client_order_id)
    return now
  })
  return withOrders(present, (order) => {
    // Of the orders of one result the first that fills ends the others.
    const hasOther = [...filled].some((id) => !isOfSameLeg(id, order.client_order_id))
    return { ...order, standing: standingText(order, later, hasOther) }
  })
}

function laterOrders(events: readonly FlightEvent[]): LaterOrders {
  const later: LaterOrders = { placed: [], ends: new Map() }
  let isAnswered = false
  for (const { kind, details } of events) {
    isAnswered ||= kind === 'command.finished'
    const ended = OrderEnd.safeParse(details).data
    if (ended === undefined) continue
    if (kind === 'order.acknowledged' && isAnswered) later.placed.push(ended)
    if (kind === 'order.filled') later.ends.set(ended.client_order_id, { ...ended, status: 'filled' })
    if (kind === 'order.canceled') later.ends.set(ended.client_order_id, { ...ended, status: 'canceled' })
  }
  return later
}

/** The order itself, or the last one that was placed for it, as far as it got; unchanged if no event has it. */
function presentOrder(order: OrderOutcome, { placed, ends }: LaterOrders): OrderOutcome {
  const successor = placed.findLast((other) => isOfSameLeg(other.client_order_id, order.client_order_id))
  const end = ends.get(successor?.client_order_id ?? order.client_order_id)
  const last = end ?? successor
  if (last === undefined) return order
  return {
    ...order,
    id: last.venue_order_id,
    client_order_id: last.client_order_id,
    amount: last.quantity,
    filled: last.filled,
    average_price: last.average_price,
    fee: last.fee ?? order.fee,
    status: end?.status ?? restingStatus(order, last),
  }
}

function restingStatus({ type }: OrderOutcome, { filled }: OrderEnd): OrderOutcome['status'] {
  if (isPositive(filled)) return 'partially_filled'
  return /^(stop|takeProfit)/.test(type) ? 'untriggered' : 'open'
}

function standingText(order: OrderOutcome, { ends }: LaterOrders, isOfEndedGroup: boolean): string {
  const { status, average_price: mean } = order
  const hasEnded = ends.has(order.client_order_id)
  if (!hasEnded) return orderStatusText(status)
  if (status === 'filled') return mean ? `filled at ${priceText(mean)}` : 'filled'
  return isOfEndedGroup ? 'canceled by its group' : 'canceled'
}

/** The result with each of its orders changed: itself, or those that it lists. */
function withOrders(result: Result, change: (order: OrderOutcome) => object): Result {
  const changed = (value: unknown): unknown => {
    const order = OrderOutcome.safeParse(value).data
    return order ? { ...(value as Result), ...change(order) } : value
  }
  if (OrderOutcome.safeParse(result).success) return changed(result) as Result
  const values = Object.entries(result).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.map(changed) : changed(value),
  ])
  return Object.fromEntries(values)
}

function isPositive(amount: string): boolean {
  return /[1-9]/.test(amount)
}
