import {
  absolute,
  add,
  divide,
  isGreater,
  isZero,
  least,
  multiply,
  negate,
  notBelowZero,
  subtract,
} from '@tripline/proto/decimal'
import type { Failure } from '../order/ending.ts'
import type { Market } from '../order/market.ts'
import type { OrderPlan, Placement, VenueOrder } from '../order/order.ts'
import { type AccountReading, asRead, freeIn, type Holding } from './account.ts'
import { worthIn } from './permit.ts'
import { reduces } from './position.ts'

/** An open order's need of an account: an amount of a coin, or margin, which is the quote coin's. */
export interface Need {
  coin: string
  amount: string
  words: string
}

/** Returns the money that an order would take now; undefined where it takes none before it triggers. */
export function needOf(order: OrderPlan, market: Market, reading: AccountReading): Need | undefined {
  if (order.triggerPrice !== undefined && !market.features.nativeOco) return undefined
  return market.kind === 'spot' ? spotNeed(order, market, reading) : marginNeed(order, market, reading)
}

/** The refusal of what is needed, where less of it is free. */
export function needDenial(need: Need, reading: AccountReading): Failure | undefined {
  if (!isGreater(need.amount, freeOf(need.coin, reading))) return undefined
  return { code: 'E506', error: needText(need, reading) }
}

/** Returns the placement; a refusal for want of money with what it needs and what was free as it was sized. */
export function withNeed(
  placement: Placement,
  order: OrderPlan,
  market: Market,
  reading: AccountReading | undefined,
): Placement {
  if (placement.outcome !== 'refused' || placement.code !== 'E506' || reading === undefined) return placement
  const need = needOf(order, market, reading)
  if (need === undefined) return placement
  return { ...placement, error: `${placement.error} (without fees ${needText(need, reading)})` }
}

function needText({ coin, words }: Need, reading: AccountReading): string {
  return `${words} ${coin} is needed, ${freeOf(coin, reading)} ${coin} is free`
}

/** The account without the amount that an open order locks. */
export function afterLocking(reading: AccountReading, { coin, amount }: Need): AccountReading {
  return withFree(reading, coin, subtract(freeOf(coin, reading), amount))
}

/** The account with the coins reserved of an order for which the exchange locks none: a stop to sell on such a spot market. */
export function afterReserving(
  reading: AccountReading,
  { side, quantity }: Pick<OrderPlan, 'side' | 'quantity'>,
  { kind }: Market,
): AccountReading {
  if (kind !== 'spot' || side !== 'sell') return reading
  // Of canceled stops that are not the bot's own nothing was reserved.
  return { ...reading, reserved: notBelowZero(add(reading.reserved ?? '0', quantity)) }
}

/** The account once these open spot orders are canceled; the two orders of a pair locked their coins once. */
export function afterUnlocking(
  reading: AccountReading,
  market: Market,
  orders: readonly VenueOrder[],
): AccountReading {
  if (market.kind !== 'spot') return reading
  return orders.reduce((freed, { side, quantity, filled, price, triggerPrice }) => {
    const left = subtract(quantity, filled)
    if (triggerPrice !== null && !market.features.nativeOco)
      return side === 'sell' ? afterReserving(freed, { side, quantity: negate(left) }, market) : freed
    const coin = side === 'buy' ? market.quote : market.base
    const amount = side === 'buy' ? multiply(left, price ?? triggerPrice ?? '0') : left
    const total = freed.holdings.find((holding) => holding.coin === coin)?.total ?? '0'
    return withFree(freed, coin, least(add(freeOf(coin, freed), amount), total))
  }, reading)
}

/** The account with more or less of a coin in all, and free. */
export function withMoved(reading: AccountReading, coin: string, by: string): AccountReading {
  const { holdings } = reading
  const held = holdings.find((holding) => holding.coin === coin) ?? { coin, total: '0', free: '0' }
  const others = holdings.filter((holding) => holding.coin !== coin)
  const moved = { ...reading, holdings: [...others, { ...held, total: add(held.total, by) }] }
  return withFree(moved, coin, add(held.free, by))
}

function spotNeed(order: OrderPlan, market: Market, reading: AccountReading): Need {
  const { side, quantity } = order
  if (side === 'sell') return { coin: market.base, amount: quantity, words: quantity }
  const amount = worthIn(order, reading)
  return { coin: market.quote, amount, words: amount }
}

function marginNeed(order: OrderPlan, market: Market, reading: AccountReading): Need | undefined {
  const opened = openedBy(order, reading)
  const leverage = reading.settings?.leverage ?? '0'
  if (isZero(opened) || isZero(leverage)) return undefined
  const value = worthIn({ ...order, quantity: opened }, reading)
  const amount = divide(value, leverage)
  return { coin: market.quote, amount, words: `a margin of ${value} / ${leverage} = ${amount}` }
}

/** Returns the quantity that opens or adds, and does not only shrink the position. */
export function openedBy(order: OrderPlan, { position }: AccountReading): string {
  const { side, quantity, reduceOnly, positionSide } = order
  if (reduceOnly) return '0'
  if (positionSide !== 'both') return (positionSide === 'long') === (side === 'buy') ? quantity : '0'
  if (!reduces(side, position)) return quantity
  const more = subtract(quantity, absolute(position))
  return isGreater(more, '0') ? more : '0'
}

function freeOf(coin: string, reading: AccountReading): string {
  return coin === reading.coin ? asRead(reading.available) : freeIn(reading, coin)
}

function withFree(reading: AccountReading, coin: string, free: string): AccountReading {
  const change = (holding: Holding): Holding => (holding.coin === coin ? { ...holding, free } : holding)
  const available = coin === reading.coin ? free : reading.available
  return { ...reading, available, holdings: reading.holdings.map(change) }
}
