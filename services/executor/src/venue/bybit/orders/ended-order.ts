import type { OrderRef } from '../../../domain/order/order.ts'
import type { OrderExpectation, OrderFeed } from '../stream/order-feed.ts'
import type { OrderUpdate } from '../stream/order-update.ts'
import type { OrderFinder } from './find-order.ts'

// The stream reports an order within tens of ms; an order that was not reported by then is looked up.
const updateWithinMs = 400
const askAfterMs = [0, 100, 300] as const

/** The sources of an order's outcome: its reports and its look-ups. */
export interface OrderSources {
  feed: OrderFeed
  finder: OrderFinder
}

/**
 * Returns the outcome of an order that the venue took: the stream's report, or else the venue's answer; the last that
 * was received if it was not final, and undefined if there was none.
 */
export async function awaitEnd(
  { feed, finder }: OrderSources,
  ref: OrderRef,
  expected: OrderExpectation,
  isSettled: (update: OrderUpdate) => boolean,
): Promise<OrderUpdate | undefined> {
  const update = feed.isLive() ? await expected.within(updateWithinMs) : undefined
  if (update !== undefined) return update
  let last: OrderUpdate | undefined
  for (const afterMs of askAfterMs) {
    const meanwhile = await expected.within(afterMs)
    if (meanwhile !== undefined) return meanwhile
    // It may have to wait for its turn, as after a takeover: asking again meanwhile would only make that longer.
    const answer = finder.find(ref).catch(() => undefined)
    last = (await Promise.race([answer, expected.settled])) ?? last
    if (last === undefined || !isSettled(last)) continue
    // One that began meanwhile does not report what was before it.
    if (expected.wasLive) feed.reportMissedUpdate(last.order)
    return last
  }
  return last ?? expected.latest()
}
