import { isGreater, isZero } from '@tripline/proto/decimal'
import { absenceCountsAfterSending } from '../order/doubt.ts'
import type { OrderPlan, VenueOrder } from '../order/order.ts'

/** An order of ours whose fills the private stream has yet to report, as far as we know. */
export interface OwedOrder {
  symbol: string
  /** The filled quantity by an answer; undefined while there is none. */
  filled: string | undefined
  /** A reading that is asked for after this moment, by our clock, shows all of it in any case. */
  shownAfter: number
}

/** The orders that are owed, by the id we gave them. */
export type OwedOrders = ReadonlyMap<string, OwedOrder>

/** Filled quantity of each order as the stream reported it, by the id it was placed with. */
export type ReportedFills = ReadonlyMap<string, string>

/** Events so long before a reading was asked for show in it: readings lag, and clocks differ. */
export const readingLagMs = 1000

/** Returns the owed orders after one was sent. */
export function owedAfterSending(
  owed: OwedOrders,
  { clientOrderId, symbol }: Pick<OrderPlan, 'clientOrderId' | 'symbol'>,
  now: number,
): OwedOrders {
  const shownAfter = absenceCountsAfterSending(now)
  return new Map(owed).set(clientOrderId, { symbol, filled: undefined, shownAfter })
}

/** Returns the owed orders after an answer about one: without it where the stream reported as much. */
export function owedAfterAnswer(
  owed: OwedOrders,
  reported: ReportedFills,
  symbol: string,
  { clientOrderId, filled }: Pick<VenueOrder, 'clientOrderId' | 'filled'>,
  now: number,
): OwedOrders {
  if (isZero(filled) || reaches(reported.get(clientOrderId), filled)) return without(owed, clientOrderId)
  const shownAfter = absenceCountsAfterSending(now)
  return new Map(owed).set(clientOrderId, { symbol, filled, shownAfter })
}

/** Returns the owed orders after a report that so much of one is filled. */
export function owedAfterReport(owed: OwedOrders, clientOrderId: string, filled: string): OwedOrders {
  const awaited = owed.get(clientOrderId)?.filled
  return awaited !== undefined && reaches(filled, awaited) ? without(owed, clientOrderId) : owed
}

/** Returns the owed orders without one, such as one that the venue refused. */
export function without(owed: OwedOrders, clientOrderId: string): OwedOrders {
  if (!owed.has(clientOrderId)) return owed
  return new Map([...owed].filter(([id]) => id !== clientOrderId))
}

/** Returns orders owed after the stream was lost: the next reading shows the fills of answered orders. */
export function owedAfterGap(owed: OwedOrders): OwedOrders {
  return new Map([...owed].filter(([, { filled }]) => filled === undefined))
}

/** Returns orders owed beside a reading of a moment when no report had come for a while: those without an answer. */
export function owedAfterReading(owed: OwedOrders, askedAt: number): OwedOrders {
  const isOpen = ({ filled, shownAfter }: OwedOrder): boolean => filled === undefined && shownAfter >= askedAt
  return new Map([...owed].filter(([, order]) => isOpen(order)))
}

/** Returns orders owed while nothing was read: any reading from now on shows the rest. */
export function owedAfterTime(owed: OwedOrders, now: number): OwedOrders {
  return new Map([...owed].filter(([, { shownAfter }]) => shownAfter >= now))
}

function reaches(reported: string | undefined, filled: string): boolean {
  return reported !== undefined && !isGreater(filled, reported)
}

/** True where a reading would show what is owed, since the stream did not report it in time. */
export function isOverdue(owed: OwedOrders, now: number): boolean {
  return [...owed.values()].some(({ shownAfter }) => shownAfter < now)
}
