import { absolute, isGreater, isLess, isZero, multiply, plain, subtract } from '@tripline/proto/decimal'
import type { AccountReading } from '../account/account.ts'
import { isAgainst, reduces } from '../account/position.ts'
import type { Warning } from '../order/order.ts'
import type { Side } from '../order/side.ts'
import { type Denial, denied, restOrDenial, type Size } from '../sizing/basis.ts'
import type { Sizing } from '../sizing/sizing.ts'
import { deny, unplaced } from './denial.ts'
import type { Resolution, ResolvedOrder, Scene } from './resolution.ts'

/** An order whose kind and prices are known, and its size not yet. */
export type UnsizedOrder = Omit<
  ResolvedOrder,
  'side' | 'quantity' | 'quoteQuantity' | 'reduceOnly' | 'sizing' | 'warnings'
> & { warnings?: readonly Warning[] }

/** An order with its size, what was asked, and the price it is valued at: the mark where none is said. */
export interface SizedOrder {
  size: Size
  order: UnsizedOrder
  asked: Sizing
  /** Null where only the venue knows what it is worth. */
  price: string | null | undefined
}

type Sized = Extract<Size, { size: 'order' }>

/** Checks what only shows once size and price are known together, and makes the order. */
export function finishOrder({ size, order, asked, price }: SizedOrder, scene: Scene): Resolution {
  if (size.size !== 'order') return unplaced(size)
  const refusal = reduceOnlyDenial(size, order, asked, scene)
  if (refusal !== undefined) return deny(refusal)
  const tooLittle = valueDenial(size, order, scene, price)
  if (tooLittle !== undefined) return unplaced(restOrDenial(size, scene.market, tooLittle))
  const { size: _kind, capped, closes: _held, ...sized } = size
  const warnings = [
    ...(order.warnings ?? []),
    ...roundingWarning(size, asked),
    ...(capped === undefined ? beyondPosition(size, scene) : [capping(`${capped}: capped to that`)]),
  ]
  return { outcome: 'orders', orders: [{ ...order, ...sized, warnings }] }
}

function reduceOnlyDenial(
  { side }: Sized,
  order: UnsizedOrder,
  asked: Sizing,
  { market, reading }: Scene,
): Denial | undefined {
  const { position } = reading
  const onlyReduces = asked.reduceOnly === true || waitsForNothing(side, order, reading)
  if (!onlyReduces || market.kind === 'spot' || reduces(side, position)) return undefined
  const held = isZero(position) ? 'there is no position' : `the position is ${position} ${market.base}`
  return denied('E510', `reduceOnly: ${held}, and a ${side} would not reduce it`)
}

/**
 * True for an order that waits for its trigger against a side of hedge mode on which nothing is held. Binance takes it, and
 * it would be ended with the position that is not there. An entry so young that the reading may not show it is waited for.
 */
function waitsForNothing(
  side: Side,
  { triggerPrice, positionSide }: UnsizedOrder,
  { position, lastEntry }: AccountReading,
): boolean {
  if (positionSide === 'both' || triggerPrice === undefined || !isZero(position)) return false
  const isYoung = lastEntry?.isFresh === true && !lastEntry.rests
  return !isYoung && isAgainst({ positionSide, side }, { position })
}

function valueDenial(
  size: Sized,
  { type }: UnsizedOrder,
  { market, reading }: Scene,
  price: SizedOrder['price'] = reading.mark,
): Denial | undefined {
  const { minNotional, minMarketNotional = minNotional } = market
  const least = type === 'market' ? minMarketNotional : minNotional
  // Both venues exempt it: -4164 of Binance's error codes says "unless you choose reduce only", and Bybit's order limits
  // of derivatives that only the least quantity applies to closing orders.
  const isExempt = size.reduceOnly && market.kind === 'linear'
  const value = size.quoteQuantity ?? (price === null ? undefined : multiply(size.quantity, price))
  if (isExempt || value === undefined || !isLess(value, least)) return undefined
  return denied('E504', `the order is worth ${value} ${market.quote}, at least ${least} is needed`)
}

/**
 * Says that an order which only reduces is larger than the position. It goes to the exchange as it is written, since the
 * position may grow before it trades, and is cut there to what is held then.
 */
function beyondPosition(
  { side, quantity, reduceOnly }: Sized,
  { market, positionSide, reading: { position } }: Scene,
): Warning[] {
  const onlyReduces = reduceOnly || (positionSide !== 'both' && reduces(side, position))
  const held = absolute(position)
  if (!onlyReduces || market.kind === 'spot' || !isGreater(quantity, held)) return []
  const { base } = market
  const more = `${plain(quantity)} ${base} is more than the position, ${plain(held)} ${base}`
  return [capping(`${more}: it closes what is held`)]
}

function capping(text: string): Warning {
  return { code: 'W705', text }
}

/** The warning of what a bare quantity loses to the step, which shows nowhere else. */
export function roundingWarning({ quantity }: Pick<Sized, 'quantity'>, { amount }: Sizing): Warning[] {
  if (amount?.basis !== 'base') return []
  const lost = absolute(subtract(amount.value, quantity))
  if (!isGreater(multiply(lost, '100'), amount.value)) return []
  return [{ code: 'W704', text: `${amount.value} was rounded to ${quantity}, by more than 1%` }]
}
