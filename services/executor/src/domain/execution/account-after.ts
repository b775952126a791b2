import type { Command } from '@tripline/proto/alert-tree'
import {
  absolute,
  add,
  divide,
  isLess,
  isZero,
  least,
  multiply,
  negate,
  subtract,
} from '@tripline/proto/decimal'
import type { PositionSide } from '@tripline/proto/language/tree'
import { type AccountReading, asRead } from '../account/account.ts'
import { afterLocking, afterReserving, needOf, openedBy, withMoved } from '../account/funds.ts'
import { type LastEntries, lastEntryOf, overInBlock } from '../account/last-entry.ts'
import { isExitOf } from '../account/permit.ts'
import { reduces } from '../account/position.ts'
import type { Decision } from '../order/attempt.ts'
import type { Ending } from '../order/ending.ts'
import type { Market } from '../order/market.ts'
import type { OrderPlan } from '../order/order.ts'
import { endedBy } from './entry-notes.ts'

/**
 * The account once an order was placed: one that trades at once is filled where the market stands, one that rests locks
 * the money that it needs. Fees are left out.
 */
export function accountAfter(reading: AccountReading, decision: Decision, market: Market): AccountReading {
  if (tradesAtOnce(decision)) return accountFilled(reading, decision, market)
  return accountKeeping(accountResting(reading, decision), decision.plan, market)
}

/** The account while an order waits for which the exchange locks what it needs, or which the bot's other orders leave it. */
export function accountKeeping(reading: AccountReading, plan: OrderPlan, market: Market): AccountReading {
  const need = needOf(plan, market, reading)
  return need === undefined ? afterReserving(reading, plan, market) : afterLocking(reading, need)
}

/** The account once an order was filled whole: where the market stands if it trades at once, else at its own price. */
export function accountFilled(reading: AccountReading, decision: Decision, market: Market): AccountReading {
  const { bid, ask } = reading
  const { price, triggerPrice } = decision.plan
  const own = tradesAtOnce(decision) ? undefined : (price ?? triggerPrice)
  const noted = withNoted(reading, decision, false)
  const met = own === undefined ? noted : { ...noted, bid: own, ask: own }
  const filled = market.kind === 'spot' ? afterSpotFill(met, decision, market) : afterFill(met, decision)
  return { ...filled, bid, ask }
}

/** The account once an order waits that takes no money. */
export function accountResting(reading: AccountReading, decision: Decision): AccountReading {
  return withNoted(reading, decision, true)
}

/** The account with what an order means for the bot's entries. */
function withNoted(reading: AccountReading, decision: Decision, rests: boolean): AccountReading {
  const { plan } = decision
  const isEntry = !plan.reduceOnly && !isExitOf(plan, reading)
  return isEntry ? entered(reading, decision, rests) : exited(reading, decision)
}

function entered(reading: AccountReading, { plan }: Decision, rests: boolean): AccountReading {
  const { side, positionSide, clientOrderId: order } = plan
  const before = lastEntryOf(reading.lastEntries, positionSide)
  const waiting = rests ? { waiting: { order, ...(before && { before }) } } : {}
  const entry = { side, rests, isFresh: true, ...waiting }
  return { ...reading, lastEntries: { ...reading.lastEntries, [positionSide]: entry } }
}

/** Later commands of a block that closed all of a position are no exits of its entry any more. */
function exited(reading: AccountReading, decision: Decision): AccountReading {
  const { type, quantity, positionSide } = decision.plan
  const held = heldOn(positionSide, reading)
  return type === 'market' && !isLess(quantity, absolute(held))
    ? { ...reading, lastEntries: overInBlock(reading.lastEntries, positionSide) }
    : reading
}

/** The account behind a command that ended without an order: one that would have closed its position ends the entry. */
export function accountAfterEnding(
  reading: AccountReading,
  command: Command,
  ending: Pick<Ending, 'result'>,
): AccountReading {
  const flat = endedBy(command, ending, reading).filter(({ of }) => of === 'flat')
  if (flat.length === 0) return reading
  return { ...reading, lastEntries: flat.reduce(withOver, reading.lastEntries ?? {}) }
}

function withOver(entries: LastEntries, { positionSide }: { positionSide: PositionSide }): LastEntries {
  return overInBlock(entries, positionSide)
}

/** True for an order that does not wait for the market. */
export function tradesAtOnce({ plan, warnings = [] }: Decision): boolean {
  return plan.type === 'market' || warnings.some(({ code }) => code === 'W703')
}

function afterSpotFill(reading: AccountReading, { plan }: Decision, market: Market): AccountReading {
  const isBuy = plan.side === 'buy'
  const price = isBuy ? reading.ask : reading.bid
  const quantity = plan.quoteQuantity === undefined ? plan.quantity : divide(plan.quoteQuantity, price)
  const value = plan.quoteQuantity ?? multiply(quantity, price)
  const paid = withMoved(reading, market.quote, isBuy ? negate(value) : value)
  const moved = withMoved(paid, market.base, isBuy ? quantity : negate(quantity))
  const held = moved.holdings.find(({ coin }) => coin === market.base)
  const total = held?.total ?? '0'
  // A stop that would sell more than a sale leaves stands again for that.
  return { ...moved, position: total, reserved: least(moved.reserved ?? '0', total) }
}

function afterFill(reading: AccountReading, { plan }: Decision): AccountReading {
  const { side, positionSide } = plan
  const quantity = filledOf(plan, reading)
  const price = side === 'buy' ? reading.ask : reading.bid
  const traded = side === 'buy' ? quantity : negate(quantity)
  const paid = withMargin(reading, openedBy(plan, reading), quantity, price)
  if (positionSide === 'both' || reading.hedged === undefined) {
    const { position, entryPrice } = reading
    return { ...paid, ...positionAfter(position, entryPrice, traded, price) }
  }
  const before = reading.hedged[positionSide]
  const after = positionAfter(before.quantity, before.entryPrice, traded, price)
  const held = { ...before, quantity: after.position, entryPrice: after.entryPrice }
  return { ...paid, hedged: { ...reading.hedged, [positionSide]: held } }
}

/** An order that only reduces fills no more than what is held. */
function filledOf({ quantity, reduceOnly, positionSide }: OrderPlan, reading: AccountReading): string {
  return reduceOnly ? least(quantity, absolute(heldOn(positionSide, reading))) : quantity
}

function heldOn(positionSide: OrderPlan['positionSide'], { position, hedged }: AccountReading): string {
  return positionSide === 'both' ? position : (hedged?.[positionSide].quantity ?? '0')
}

/** Opening takes margin, the rest of the order gives some back. */
function withMargin(
  reading: AccountReading,
  opened: string,
  quantity: string,
  price: string,
): AccountReading {
  const leverage = reading.settings?.leverage ?? '0'
  if (isZero(leverage)) return reading
  const net = subtract(opened, subtract(quantity, opened))
  const margin = divide(multiply(net, price), leverage)
  return { ...reading, available: subtract(asRead(reading.available), margin) }
}

/** A position after a trade; a flip and a first trade are entered at its price, growth is averaged. */
function positionAfter(
  position: string,
  entryPrice: string | null,
  traded: string,
  price: string,
): Pick<AccountReading, 'position' | 'entryPrice'> {
  const after = add(position, traded)
  if (isZero(after)) return { position: after, entryPrice: null }
  const shrank = reduces(traded.startsWith('-') ? 'sell' : 'buy', position)
  const flipped = shrank && position.startsWith('-') !== after.startsWith('-')
  if (entryPrice === null || flipped) return { position: after, entryPrice: price }
  if (shrank) return { position: after, entryPrice }
  const cost = add(multiply(absolute(position), entryPrice), multiply(absolute(traded), price))
  return { position: after, entryPrice: divide(cost, absolute(after)) }
}
