import { absolute, add, divide, isZero, multiply, negate, subtract } from '@tripline/proto/decimal'
import { type AccountReading, asRead } from './account.ts'
import type { Decision } from './attempt.ts'
import { afterLocking, needOf, openedBy, withMoved } from './funds.ts'
import type { Market } from './market.ts'
import { isExitOf } from './permit.ts'
import { reduces } from './sizing.ts'

/**
 * The account once an order was placed: one that trades at once is filled where the market stands, one that rests keeps
 * the money that it needs. Fees are left out.
 */
export function accountAfter(reading: AccountReading, decision: Decision, market: Market): AccountReading {
  const { plan } = decision
  const isEntry = !plan.reduceOnly && !isExitOf(plan, reading)
  const told = isEntry ? { ...reading, lastEntry: plan.side } : reading
  if (tradesAtOnce(decision)) {
    return market.kind === 'spot' ? afterSpotFill(told, decision, market) : afterFill(told, decision)
  }
  const need = needOf(plan, market, reading)
  return need === undefined ? told : afterLocking(told, need)
}

/** The account once an order was filled whole: where the market stands if it trades at once, else at its own price. */
export function accountFilled(reading: AccountReading, decision: Decision, market: Market): AccountReading {
  const { bid, ask } = reading
  const { price, triggerPrice } = decision.plan
  const own = tradesAtOnce(decision) ? undefined : (price ?? triggerPrice)
  const met = own === undefined ? reading : { ...reading, bid: own, ask: own }
  const filled = market.kind === 'spot' ? afterSpotFill(met, decision, market) : afterFill(met, decision)
  return { ...filled, bid, ask }
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
  return { ...moved, position: held?.total ?? '0' }
}

function afterFill(reading: AccountReading, { plan }: Decision): AccountReading {
  const { side, quantity, positionSide } = plan
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

/** What opens takes margin, the rest of the order gives some back. */
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
