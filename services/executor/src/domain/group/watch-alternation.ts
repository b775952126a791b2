import { add, floorToStep, isGreater, isLess, isZero, subtract } from '@tripline/proto/decimal'
import { type Attempt, nextToEnd } from '../order/attempt.ts'
import type { Failure } from '../order/ending.ts'
import { isTerminal, type OrderPlan, type VenueOrder } from '../order/order.ts'
import { mostRevisions, revised } from '../order/revision.ts'
import { inTurn, pairIn } from './alternating-pair.ts'
import type { Leg, LegsRecord } from './legs-record.ts'
import { freshMs, isSaleStop, nextForStop, passedWords, soldAtOnce } from './passed-stop.ts'
import { emitBare, isLongBare } from './placing-again.ts'
import { askNext, dissolved, type Notice, toRecord, type Watch, type WatchStep } from './watch.ts'

/**
 * Returns the next step for a stop and an order that takes the profit, where the venue can have but one of them at a
 * time. The stop rests there. Once the price of the other is reached the stop is taken back, and only when that is
 * confirmed the other is sent, for the rest and to trade at once; the part that it leaves gets its stop again.
 */
export function nextForTurns(watch: Watch, now: number): WatchStep {
  const [attempt] = watch.attempts
  if (attempt === undefined) throw new Error('a pair without an order')
  if (isLongBare(watch, now)) return emitBare(watch, leftOf(watch))
  const asked = askNext(watch.attempts, now)
  if (asked !== undefined) return asked
  if (attempt.refusal !== undefined) return afterRefusal(watch, attempt.refusal)
  if (attempt.found === undefined) return nextToSend(watch, attempt, now)
  return isTerminal(attempt.found) ? afterEnd(watch, attempt) : whileOpen(watch, attempt, now)
}

/** The order whose turn it is is sent; a stop only where the market has not passed it while it was away. */
function nextToSend(watch: Watch, { notBefore = 0 }: Attempt, now: number): WatchStep {
  if (now < notBefore) return { do: 'wait', until: notBefore }
  const leg = inTurn(watch.stored.record)
  switch (nextForStop(leg.decision.plan, watch.quote, now)) {
    case 'ask':
      return { do: 'quote' }
    case 'sell':
      return soldInstead(watch)
    case 'send':
      return { do: 'place', leg }
  }
}

/** The stop's coins are sold at once, and the other order is never sent. */
function soldInstead(watch: Watch): WatchStep {
  const { record } = watch.stored
  const { stop, profit } = pairIn(record)
  const sale = soldAtOnce(profit, stop)
  const legs = [stop, sale]
  return toRecord(watch, { ...record, isPassed: true, turn: 'alone', legs }, calm(passedWords(stop, sale)))
}

function whileOpen(watch: Watch, attempt: Attempt, now: number): WatchStep {
  const { record } = watch.stored
  const { profit } = pairIn(record)
  switch (record.turn) {
    case 'taking':
      return nextToEnd(attempt, now)
    case 'profit': {
      // It trades at once or ends: how it ended is on its way.
      const { ref, notBefore = 0 } = attempt
      return now < notBefore ? { do: 'wait', until: notBefore } : { do: 'lookUp', ref }
    }
    case 'alone':
      return toRecord(watch, dissolved(watch))
    default:
      if (profit.isOver === true) return toRecord(watch, dissolved(watch))
      return isReached(profit.decision.plan, watch.quote, now)
        ? toRecord(watch, { ...record, turn: 'taking' })
        : { do: 'rest' }
  }
}

/** True where a sale gets at least its price now, or a purchase pays at most that. */
function isReached(plan: OrderPlan, quote: Watch['quote'], now: number): boolean {
  const price = plan.triggerPrice ?? plan.price
  if (quote == null || price === undefined || now - quote.askedAt > freshMs) return false
  return plan.side === 'sell' ? !isLess(quote.bid, price) : !isGreater(quote.ask, price)
}

function afterEnd(watch: Watch, { found }: Attempt): WatchStep {
  const { record } = watch.stored
  const { turn } = record
  const { stop, profit } = pairIn(record)
  const left = leftOf(watch)
  const orderText = describe(turn === 'profit' || turn === 'alone' ? profit : stop)
  if (turn === 'alone') return record.isPassed === true ? afterSale(watch, found) : over(watch)
  if (found?.status === 'filled' || isLess(left, watch.market.minQuantity)) {
    const rest = isZero(left) ? 'nothing is left' : `the ${left} left are too little for another order`
    return toRecord(watch, { ...record, state: 'done' }, calm(`${orderText} is filled, ${rest}`))
  }
  if (turn === 'profit') return restored(watch, left, found?.filled ?? '0')
  if (turn === 'taking') return withLegs(watch, 'profit', counted(watch, stop), next(profit, left))
  if (profit.isOver === true)
    return toRecord(watch, { ...record, state: 'done' }, alarm(`${orderText} is gone`))
  const text = `${orderText} ended as ${found?.status}, not by its group; ${describe(profit)} is placed instead`
  return withLegs(watch, 'alone', counted(watch, stop), next(profit, left), alarm(text))
}

/** The unsold rest of a sale in place of a stop is sold again, as long as that sells anything. */
function afterSale(watch: Watch, found: VenueOrder | undefined): WatchStep {
  const { stop, profit } = pairIn(watch.stored.record)
  const left = leftOf(watch)
  if (isLess(left, watch.market.minQuantity)) return over(watch)
  const isGoingOn = !isZero(found?.filled ?? '0') && profit.revision < mostRevisions
  if (isGoingOn) return withLegs(watch, 'alone', stop, next(counted(watch, profit), left))
  return over(
    watch,
    alarm(`${describe(profit)} ended as ${found?.status}, nothing protects the ${left} left`),
  )
}

function over(watch: Watch, notice?: Notice): WatchStep {
  return toRecord(watch, { ...watch.stored.record, state: 'done' }, notice)
}

/** The stop stands again for what is left; the other is held for another time, as long as its id can be renewed. */
function restored(watch: Watch, left: string, filled: string): WatchStep {
  const { stop, profit } = pairIn(watch.stored.record)
  const tried = counted(watch, profit)
  const isLast = profit.revision >= mostRevisions
  const text = `${describe(profit)} is filled in part (${filled}), the stop stands again for ${left}`
  const notice = isZero(filled) ? undefined : calm(text)
  if (!isLast) return withLegs(watch, 'stop', next(stop, left), tried, notice)
  const givenUp = alarm(
    `${describe(profit)} found nobody ${profit.revision} times and is given up, the stop stays`,
  )
  return withLegs(watch, 'stop', next(stop, left), { ...tried, isOver: true }, givenUp)
}

function afterRefusal(watch: Watch, { code, error }: Failure): WatchStep {
  const { record } = watch.stored
  const { stop, profit } = pairIn(record)
  if (record.turn === 'stop' && code === 'E507' && isSaleStop(stop.decision.plan)) return soldInstead(watch)
  const left = leftOf(watch)
  if (record.turn === 'profit') {
    const text = `${describe(profit)} was refused and is given up, the stop stands again: ${error}`
    return withLegs(watch, 'stop', next(stop, left), { ...counted(watch, profit), isOver: true }, alarm(text))
  }
  if (record.turn === 'alone' || profit.isOver === true) {
    const text = `${describe(record.turn === 'alone' ? profit : stop)} was refused, nothing is left open: ${error}`
    return toRecord(watch, { ...record, state: 'done' }, alarm(text))
  }
  const text = `${describe(stop)} was refused, ${describe(profit)} is placed instead: ${error}`
  return withLegs(watch, 'alone', stop, next(profit, left), alarm(text))
}

/** Returns the quantity left unfilled by both orders. */
export function leftOf({ stored, attempts, market }: Watch): string {
  const { stop, profit } = pairIn(stored.record)
  const whole = stop.original ?? stop.decision.plan.quantity
  const before = add(stop.filledBefore ?? '0', profit.filledBefore ?? '0')
  const filled = attempts.reduce((sum, { found }) => add(sum, found?.filled ?? '0'), before)
  return floorToStep(subtract(whole, filled), market.quantityStep)
}

/** The leg with what was filled of the order that ended. */
function counted({ attempts }: Watch, leg: Leg): Leg {
  const filled = attempts[0]?.found?.filled ?? '0'
  return { ...leg, filledBefore: add(leg.filledBefore ?? '0', filled) }
}

/** The leg with an order of its own for what is left. */
function next(leg: Leg, left: string): Leg {
  const { plan } = leg.decision
  const original = leg.original ?? plan.quantity
  const revision = leg.revision + 1
  const clientOrderId = revised(plan.clientOrderId, revision)
  const sizing = left === original ? plan.sizing : `${left} left of ${original}`
  return {
    ...leg,
    decision: { ...leg.decision, plan: { ...plan, clientOrderId, quantity: left, sizing } },
    revision,
    original,
  }
}

function withLegs(
  watch: Watch,
  turn: NonNullable<LegsRecord['turn']>,
  stop: Leg,
  profit: Leg,
  notice?: Notice,
): WatchStep {
  const { isToldBare: _over, ...record } = watch.stored.record
  return toRecord(watch, { ...record, turn, legs: [stop, profit] }, notice)
}

const describe = ({ decision: { plan } }: Leg): string => `${plan.type} ${plan.side} ${plan.quantity}`
const calm = (text: string): Notice => ({ text, isAlarm: false })
const alarm = (text: string): Notice => ({ text, isAlarm: true })
