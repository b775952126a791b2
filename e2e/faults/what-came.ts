import type { Bus } from '@tripline/kit/bus/bus'
import { paperControl } from '@tripline/testkit/paper-control'
import { storedEvents } from '@tripline/testkit/stored-events'

/** A request for an order as the paper exchange saw it, by the alert's id and the place in it. */
export interface Placed {
  order: string
  outcome: string
}

/** Every request for an order that reached the paper exchange. */
export async function placedOrders(paperUrl: string): Promise<Placed[]> {
  return (await paperControl(paperUrl).journal()).flatMap(({ op, clientOrderId, outcome }) =>
    op === 'place' ? [{ order: clientOrderId?.slice(1) ?? '', outcome }] : [],
  )
}

/** True for a request of an order that was accepted before. */
export function isRepeated({ order }: Placed, index: number, all: readonly Placed[]): boolean {
  return all.slice(0, index).some((earlier) => earlier.order === order && earlier.outcome === 'accepted')
}

/** An order that an accepted alert asks for, in the lane of a bot and its symbol. */
export interface LaneOrder {
  lane: string
  order: string
}

/** The orders of each lane, as they come. */
export function byLane(orders: readonly LaneOrder[]): Record<string, string[]> {
  const ordersOf: Record<string, string[]> = {}
  for (const { lane, order } of orders) ordersOf[lane] = [...(ordersOf[lane] ?? []), order]
  return ordersOf
}

/** The ends of all executions, once for each time an end was stored, and the refusals of whole alerts with their reason. */
export async function executionEnds(ops: Bus): Promise<{ executionId: string; status: string }[]> {
  const events = await storedEvents(ops)
  return events.flatMap((event): { executionId: string; status: string }[] => {
    if (event.kind === 'execution.finished') return [event]
    if (event.kind !== 'alert.refused') return []
    return [{ executionId: event.alertId, status: `refused: ${event.errorCode} ${event.error}` }]
  })
}
