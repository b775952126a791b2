import { isGreater, isLess } from '@tripline/proto/decimal'
import type { StopOrderCommand } from '@tripline/proto/language/tree'
import { reduces } from '../account/position.ts'
import { type Denial, denied } from '../sizing/basis.ts'
import { sizeOrder } from '../sizing/sizing.ts'
import { deny, nothingToProtect } from './denial.ts'
import { finishOrder } from './finish-order.ts'
import { marketFor } from './lot.ts'
import {
  bandDenialBehind,
  farWarnings,
  type Priced,
  type Pricing,
  pricingWords,
  resolveOffsetFrom,
  resolvePrice,
} from './price.ts'
import type { Resolution, Scene } from './resolution.ts'
import { shrinking, sideOf } from './side.ts'
import { defaultTrigger, triggerPrice } from './trigger.ts'

/** The kind of order that a stop order comes to. */
export function stopTypeOf({
  limitPrice,
  limitOffset,
}: Pick<StopOrderCommand, 'limitPrice' | 'limitOffset'>): 'stop' | 'stopLimit' {
  return (limitPrice ?? limitOffset) === undefined ? 'stop' : 'stopLimit'
}

/** Resolves a stop order; a limit price makes it a stop-limit. */
export function resolveStop(command: StopOrderCommand, placed: Scene): Resolution {
  const type = stopTypeOf(command)
  const scene = { ...placed, market: marketFor(type, placed.market) }
  const { market, reading, positionSide } = scene
  const side = sideOf(command, scene)
  if (typeof side !== 'string') return side
  const trigger = command.trigger ?? defaultTrigger(market)
  const shrinks = reduces(side, reading.position)
  const pricing: Pricing = { side, purpose: 'stop', market, reading, protects: shrinks }
  const triggered = triggerPrice(command.price, pricing, trigger)
  if ('code' in triggered) return deny(triggered)
  const limit = limitBehind(command, triggered.price, pricing)
  if (limit !== undefined && 'code' in limit) return deny(limit)
  const outside = limit && bandDenialBehind(triggered.price, limit.price, pricing)
  if (outside !== undefined) return deny(outside)
  const order = {
    type,
    triggerPrice: triggered.price,
    trigger,
    ...(limit && { price: limit.price, timeInForce: command.tif ?? 'gtc' }),
    ...pricingWords(triggered, limit),
    positionSide,
    warnings: farWarnings(triggered, limit),
  } as const
  const asked = shrinking(command, side, scene)
  const price = limit?.price ?? triggered.price
  const size = sizeOrder(asked, market, reading, price)
  if (size.size === 'nothing') return deny(nothingToProtect(market))
  return finishOrder({ size, order, asked, price }, scene)
}

function limitBehind(
  { limitPrice, limitOffset }: StopOrderCommand,
  trigger: string,
  pricing: Pricing,
): Priced | Denial | undefined {
  if (limitOffset !== undefined) return resolveOffsetFrom(trigger, limitOffset, pricing)
  if (limitPrice === undefined) return undefined
  const limit = resolvePrice(limitPrice, { ...pricing, purpose: 'limit', comesAt: trigger })
  if ('code' in limit || limit.far === undefined) return limit
  const takes = pricing.side === 'buy' ? !isLess(limit.price, trigger) : !isGreater(limit.price, trigger)
  return takes ? denied('E508', limit.far) : limit
}
