import type { AbsenceRule } from '../order/absence.ts'
import { type Attempt, attemptOf, isOpenOrder, lookUpOf, nextToEnd } from '../order/attempt.ts'
import { doubtFrom } from '../order/doubt.ts'
import type { Market } from '../order/market.ts'
import { isImmediate, isTerminal, type LookUpDepth, type OrderRef } from '../order/order.ts'
import type { Quote } from '../order/reference.ts'
import { revisionOf } from '../order/revision.ts'
import { sentOf } from './alternating-pair.ts'
import { isLone, type Leg, type LegsRecord, type StoredLegs } from './legs-record.ts'

/** A group of orders that is watched: its record, and what is known of its orders. */
export interface Watch {
  stored: StoredLegs
  market: Market
  /** When an order that the market does not show counts as absent. */
  absence: AbsenceRule
  attempts: readonly Attempt[]
  /**
   * Bid and ask of the market, where something waits for its price or is placed by it; null where that could not be
   * had. As long as nothing else changed, and nothing was placed by it.
   */
  quote?: Quote | null
  /** Until when the sale is waited for that took the orders back; absent where it is known to run. */
  awaitedUntil?: number
}

/** A report on a group, and whether a person should look. */
export interface Notice {
  text: string
  isAlarm: boolean
}

/** Next step for a group. */
export type WatchStep =
  | { do: 'lookUp'; ref: OrderRef; depth?: LookUpDepth }
  | { do: 'cancel'; ref: OrderRef }
  | { do: 'place'; leg: Leg }
  | { do: 'placePair'; pair: readonly [Leg, Leg] }
  | { do: 'record'; record: LegsRecord; over: number; notice?: Notice }
  /** Reports the outcome of a command that was given up as unknown. */
  | { do: 'amend' }
  /** Asks what the market bids and asks. */
  | { do: 'quote' }
  | { do: 'wait'; until: number }
  /** Nothing, until the venue reports something. */
  | { do: 'rest' }
  | { do: 'end' }

/** Time to wait for a sale that took orders back and is not reported: an exit is run before that. */
const awaitSaleMs = 120_000

/** Time before an order that rests by itself is asked for, since a list of many may show it. */
export const listMs = 2000

/** The watch over what is recorded; nothing is known yet of orders that another owner may have sent. */
export function watchOf(
  stored: StoredLegs,
  { market, absence }: Pick<Watch, 'market' | 'absence'>,
  notAbsentBefore: number,
  now: number,
): Watch {
  const unknown: Watch = { stored, market, absence, attempts: [] }
  const { attempts } = withRecord(unknown, stored)
  const from = isLone(stored.record) ? now + listMs : now
  const doubtOf = ({ decision }: Attempt) =>
    doubtFrom(from, {
      rule: absence,
      notAbsentBefore,
      isImmediate: decision !== undefined && isImmediate(decision.plan),
    })
  return {
    ...unknown,
    attempts: attempts.map((attempt) => ({ ...attempt, doubt: doubtOf(attempt) })),
    ...(stored.record.takenBack && { awaitedUntil: now + awaitSaleMs }),
  }
}

/** The watch without what the market was at, which is to be asked for anew. */
export function unquoted({ quote: _old, ...watch }: Watch): Watch {
  return watch
}

/** The watch once its record was changed. */
export function withRecord({ quote: _used, ...watch }: Watch, stored: StoredLegs): Watch {
  const known = new Map(watch.attempts.map((attempt) => [attempt.ref.clientOrderId, attempt]))
  const attempts = sentOf(stored.record).map(
    (decision) => known.get(decision.plan.clientOrderId) ?? attemptOf(decision),
  )
  return { ...watch, stored, attempts }
}

/** The step that writes the record, and reports why. */
export function toRecord({ stored }: Watch, record: LegsRecord, notice?: Notice): WatchStep {
  return { do: 'record', record, over: stored.revision, ...(notice && { notice }) }
}

/** The attempt at the order of this plan. */
export function attemptFor({ attempts }: Watch, { plan }: Leg['decision']): Attempt | undefined {
  return attempts.find(({ ref }) => ref.clientOrderId === plan.clientOrderId)
}

/** Returns the next step for orders whose fate is open; long open ones are asked for less often. */
export function askNext(attempts: readonly Attempt[], now: number): WatchStep | undefined {
  const open = attempts.flatMap(({ doubt, ref }) => {
    if (doubt === undefined) return []
    const at = now - doubt.since < longMs ? doubt.nextLookUpAt : doubt.nextLookUpAt + seldomMs
    return [{ ref, doubt, at }]
  })
  const [soonest] = open.toSorted((one, other) => one.at - other.at)
  if (soonest === undefined) return undefined
  return now >= soonest.at ? lookUpOf(soonest, soonest.ref, now) : { do: 'wait', until: soonest.at }
}

const longMs = 60_000
const seldomMs = 15_000

/** Open orders are canceled, but for the order for which the others make way. */
export function nextClosing({ stored, attempts }: Watch, now: number): WatchStep {
  const { record, revision } = stored
  const ended = { do: 'record', record: dissolved({ stored, attempts }), over: revision } as const
  return nextEnding(attempts, now, record.closedBy) ?? ended
}

/** Cancels what is open but for one order, and asks for what may be; undefined where there is nothing left of that. */
export function nextEnding(
  attempts: readonly Attempt[],
  now: number,
  spared?: string,
): WatchStep | undefined {
  const open = attempts.filter((attempt) => isOpenOrder(attempt) && attempt.ref.clientOrderId !== spared)
  const due = open.find(({ notBefore = 0 }) => now >= notBefore) ?? open[0]
  return due === undefined ? askNext(attempts, now) : nextToEnd(due, now)
}

/** The record of a group none of whose orders ends another any more: each order that is still open is followed to its end. */
export function dissolved({ stored, attempts }: Pick<Watch, 'stored' | 'attempts'>): LegsRecord {
  const legs = attempts
    .filter(({ doubt, found }) => doubt !== undefined || (found !== undefined && !isTerminal(found)))
    .flatMap(({ decision }) => (decision === undefined ? [] : [aloneOf(decision)]))
  if (legs.length === 0) return { ...stored.record, state: 'done' }
  const { turn: _over, takenBack: _ended, ...record } = stored.record
  return { ...record, state: 'live', legs, isLone: true }
}

/** The leg of an order that none ends any more, which is renewed from where it is. */
function aloneOf(decision: Leg['decision']): Leg {
  return { decision, revision: revisionOf(decision.plan.clientOrderId) }
}

/** True where the order of a leg ended, or is known not to be there. */
export function hasEnded(watch: Watch, { decision }: Leg): boolean {
  const { found, doubt } = attemptFor(watch, decision) ?? {}
  return found === undefined ? doubt === undefined : isTerminal(found)
}
