import { isLess, isZero, plain, subtract } from '@tripline/proto/decimal'
import { revised } from '../order/revision.ts'
import { pairIn } from './alternating-pair.ts'
import type { Leg, LegsRecord } from './legs-record.ts'
import { isSaleStop, nextForStop, passedWords, soldAtOnce } from './passed-stop.ts'
import { attemptFor, type Notice, toRecord, type Watch, type WatchStep } from './watch.ts'

/** Time in ms without an order before a person is notified. */
const longBareMs = 15_000

/** True where an order was sent repeatedly, none was seen at the exchange, and no alarm was raised about that yet. */
export function isLongBare({ stored: { record }, attempts }: Watch, now: number): boolean {
  if (record.isToldBare === true) return false
  return attempts.some(
    ({ found, unansweredSince = now }) => found === undefined && now - unansweredSince >= longBareMs,
  )
}

/** The step that raises the alarm that so many coins have no order. */
export function emitBare(watch: Watch, coins: string): WatchStep {
  const text = `nothing protects ${coins}, and the exchange does not answer; it is tried on and on`
  return toRecord(watch, { ...watch.stored.record, isToldBare: true }, { text, isAlarm: true })
}

/** Places what was taken back for a sale and is to stand again, and goes on from there once it does. */
export function nextPlacing(watch: Watch, now: number): WatchStep {
  const { record } = watch.stored
  const stop = record.legs.find(({ decision }) => isSaleStop(decision.plan))
  const refusal = refusalIn(watch)
  if (refusal?.code === 'E507' && stop !== undefined) return toSell(watch, stop)
  if (refusal?.code === 'E511' && stop !== undefined) return toSell(watch, stop, limitBeside(stop, record))
  if (refusal !== undefined) {
    const text = `${whatStands(watch.stored.record)} was taken back for a sale and ${notPlaced(refusal.error)}`
    return toRecord(watch, { ...record, state: 'done' }, { text, isAlarm: true })
  }
  const missing = record.legs.filter(({ decision }) => attemptFor(watch, decision)?.found === undefined)
  const [first, second] = missing
  // An exchange takes both of a pair or none.
  const isThere = first === undefined || (isPair(record) && second === undefined)
  if (isThere) return toRecord(watch, stays(watch), standing(watch))
  const { notBefore = 0 } = attemptFor(watch, first.decision) ?? {}
  if (now < notBefore) return { do: 'wait', until: notBefore }
  const how = stop === undefined ? 'send' : nextForStop(stop.decision.plan, watch.quote, now)
  if (how === 'ask') return { do: 'quote' }
  if (how === 'sell' && stop !== undefined) return toSell(watch, stop)
  if (stop !== undefined && isReached(limitBeside(stop, record), watch))
    return toSell(watch, stop, limitBeside(stop, record))
  return isPair(record) && second !== undefined
    ? { do: 'placePair', pair: [first, second] }
    : { do: 'place', leg: first }
}

/** Returns the refusal of an order that is to stand again; undefined where there is none. */
export function refusalIn({ attempts }: Watch): { code: string; error: string } | undefined {
  return attempts.find(({ refusal }) => refusal !== undefined)?.refusal
}

/** Returns the words for orders that the exchange did not take again. */
export function notPlaced(error: string): string {
  return `could not be placed again, nothing stands: ${error}`
}

/** The order that takes the profit of a pair that the exchange manages; undefined of any other. */
function limitBeside(stop: Leg, record: LegsRecord): Leg | undefined {
  return isPair(record) ? record.legs.find((leg) => leg !== stop) : undefined
}

/** True for a sale at a price that the market bids already: beside a stop the exchange refuses that (-1166 of Binance spot). */
function isReached(limit: Leg | undefined, { quote }: Watch): boolean {
  const price = limit?.decision.plan.price
  return price !== undefined && quote !== undefined && quote !== null && !isLess(quote.bid, price)
}

/** The price has passed an order while it was away, which would have sold: its coins are sold at once. */
function toSell(watch: Watch, stop: Leg, passed = stop): WatchStep {
  const { record } = watch.stored
  const sale = soldAtOnce(stop, stop)
  const sold = { ...record, legs: [sale], isLone: true, isPassed: true }
  return toRecord(watch, sold, { text: passedWords(passed, sale), isAlarm: false })
}

function standing(watch: Watch): Notice | undefined {
  const isSold = watch.stored.record.isPassed === true
  return isSold ? undefined : { text: `${whatStands(watch.stored.record)} stands again`, isAlarm: false }
}

/** The record without the sale for which its orders were taken back. */
export function stays({ stored: { record } }: Watch): LegsRecord {
  const { takenBack: _over, isToldBare: _emitted, ...rest } = record
  return rest
}

/** The record with orders of their own for what is left, under their next ids. */
export function anew({ stored: { record } }: Watch, left: string): LegsRecord {
  const { takenBack, turn, ...rest } = record
  const legs = record.legs.map((leg) => anewLeg(leg, left))
  // Of a pair by turns the one whose turn it is is placed as ever.
  if (turn !== undefined) return { ...rest, legs, turn: turn === 'alone' ? 'alone' : 'stop' }
  return { ...rest, legs, ...(takenBack && { takenBack: { ...takenBack, phase: 'placing' } }) }
}

function anewLeg({ decision, revision, isOver }: Leg, left: string): Leg {
  const { plan } = decision
  const next = revision + 1
  const clientOrderId = revised(plan.clientOrderId, next)
  const sizing = isZero(subtract(plan.quantity, left)) ? plan.sizing : `${left} left of ${plan.quantity}`
  return {
    decision: { ...decision, plan: { ...plan, clientOrderId, quantity: left, sizing } },
    revision: next,
    ...(isOver === true && { isOver }),
  }
}

/** True where the exchange manages two orders of which one ends the other. */
export function isPair({ keeper, isLone, legs }: LegsRecord): boolean {
  return keeper === 'venue' && isLone !== true && legs.length === 2
}

/** Returns the orders of a record that stand again, in words. */
export function whatStands(record: LegsRecord): string {
  const legs = record.turn === undefined ? record.legs : [pairIn(record).stop]
  return legs
    .map(({ decision: { plan } }) => `${plan.type} ${plan.side} ${plain(plan.quantity)}`)
    .join(' with ')
}
