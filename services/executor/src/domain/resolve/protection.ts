import { isZero } from '@tripline/proto/decimal'
import type { StopOrTakeProfitCommand } from '@tripline/proto/language/tree'
import { reduces } from '../account/position.ts'
import type { Side } from '../order/side.ts'
import type { Denial } from '../sizing/basis.ts'
import { type Sizing, sizeOrder } from '../sizing/sizing.ts'
import { deny, nothingToProtect } from './denial.ts'
import { finishOrder, type UnsizedOrder } from './finish-order.ts'
import { marketFor } from './lot.ts'
import {
  bandDenial,
  bandDenialBehind,
  farWarnings,
  type Priced,
  type Pricing,
  pricingWords,
  resolveOffsetFrom,
  resolvePrice,
} from './price.ts'
import type { Resolution, ResolvedOrder, Scene } from './resolution.ts'
import { defaultTrigger, triggerPrice, waits } from './trigger.ts'

/**
 * Resolves a stop loss, a take profit or both; the side may be left to the position. A profit of a position that the
 * market has reached already is taken at once: on futures beside the stop, which its fill then ends; on spot in place
 * of that, since the stop would lock the coins.
 */
export function resolveProtection(command: StopOrTakeProfitCommand, scene: Scene): Resolution {
  const { market, reading } = scene
  const side = command.side ?? closingSide(command, scene)
  if (side === undefined) return deny(nothingToProtect(market))
  const reduceOnly = command.reduceOnly ?? market.kind === 'linear'
  const asked: Sizing = { ...command, side, reduceOnly }
  const orders: ResolvedOrder[] = []
  for (const purpose of ['stop', 'takeProfit'] as const) {
    const protects = reduces(side, reading.position)
    const pricing = { side, purpose, market, reading, protects }
    const order = unsizedHalf(command, pricing, scene)
    if (order === undefined) continue
    if ('code' in order) return deny(order)
    const price = order.price ?? order.triggerPrice
    const size = sizeOrder(asked, marketFor(order.type, market), reading, price)
    if (size.size === 'nothing') return deny(nothingToProtect(market))
    const half = finishOrder({ size, order, asked, price }, scene)
    if (half.outcome !== 'orders') return half
    if (order.triggerPrice === undefined && market.kind === 'spot') return half
    orders.push(...half.orders)
  }
  return { outcome: 'orders', orders }
}

function closingSide({ position }: StopOrTakeProfitCommand, { reading }: Scene): Side | undefined {
  if (position !== undefined || isZero(reading.position)) return undefined
  return reduces('sell', reading.position) ? 'sell' : 'buy'
}

/** The stop or the take profit of the command, without its size; undefined where it was not asked for. */
function unsizedHalf(
  command: StopOrTakeProfitCommand,
  pricing: Pricing,
  { positionSide }: Scene,
): UnsizedOrder | Denial | undefined {
  const isStop = pricing.purpose === 'stop'
  const asked = isStop ? command.sl : command.tp
  if (asked === undefined) return undefined
  const ownTrigger = isStop ? command.slTrigger : command.tpTrigger
  const trigger = ownTrigger ?? command.trigger ?? defaultTrigger(pricing.market)
  if (!isStop && pricing.protects === true) {
    const priced = resolvePrice(asked, pricing)
    if (!('code' in priced) && !waits(priced, pricing, trigger) && priced.far === undefined) {
      const outside = command.tpType === 'limit' ? bandDenial(priced.price, pricing) : undefined
      return outside ?? exitNow(command, priced, positionSide)
    }
  }
  const triggered = triggerPrice(asked, pricing, trigger)
  if ('code' in triggered) return triggered
  const base = {
    triggerPrice: triggered.price,
    trigger,
    positionSide,
    ...pricingWords(triggered),
    warnings: farWarnings(triggered),
  }
  return isStop ? stopHalf(command, base, pricing) : profitHalf(command, base)
}

type Base = Omit<UnsizedOrder, 'type'> & { triggerPrice: string }

function stopHalf(
  { slLimitOffset }: StopOrTakeProfitCommand,
  base: Base,
  pricing: Pricing,
): UnsizedOrder | Denial {
  if (slLimitOffset === undefined) return { ...base, type: 'stop' }
  const { price } = resolveOffsetFrom(base.triggerPrice, slLimitOffset, pricing)
  const outside = bandDenialBehind(base.triggerPrice, price, pricing)
  return outside ?? { ...base, type: 'stopLimit', price, timeInForce: 'gtc' }
}

function profitHalf({ tpType }: StopOrTakeProfitCommand, base: Base): UnsizedOrder {
  if (tpType !== 'limit') return { ...base, type: 'takeProfit' }
  return { ...base, type: 'takeProfitLimit', price: base.triggerPrice, timeInForce: 'gtc' }
}

/** The take profit whose price the market has reached. */
function exitNow(
  { tpType }: StopOrTakeProfitCommand,
  { price }: Priced,
  positionSide: Scene['positionSide'],
): UnsizedOrder {
  const base = { positionSide, pricing: `the market has reached ${price} already` }
  if (tpType !== 'limit') return { ...base, type: 'market' }
  return { ...base, type: 'limit', price, timeInForce: 'gtc' }
}
