import { isGreater, isLess } from '@tripline/proto/decimal'
import type { LimitCommand } from '@tripline/proto/language/tree'
import type { Warning } from '../order/order.ts'
import type { Side } from '../order/side.ts'
import { denied } from '../sizing/basis.ts'
import { sizeOrder } from '../sizing/sizing.ts'
import { deny } from './denial.ts'
import { finishOrder } from './finish-order.ts'
import { marketFor } from './lot.ts'
import { bandDenial, farWarnings, type Pricing, pricingWords, resolvePrice } from './price.ts'
import type { Resolution, Scene } from './resolution.ts'
import { shrinking, sideOf } from './side.ts'

/** Resolves a limit command. */
export function resolveLimit(command: LimitCommand, placed: Scene): Resolution {
  const scene = { ...placed, market: marketFor('limit', placed.market) }
  const { market, reading, positionSide } = scene
  const side = sideOf(command, scene)
  if (typeof side !== 'string') return side
  const pricing: Pricing = { side, purpose: 'limit', market, reading }
  const priced = resolvePrice(command.price, pricing)
  if ('code' in priced) return deny(priced)
  const { price } = priced
  const outside = bandDenial(price, pricing)
  if (outside !== undefined) return deny(outside)
  const isMaker = command.postOnly === true
  const takes = crosses(side, price, scene)
  if (takes && priced.far !== undefined) return deny(denied('E508', priced.far))
  if (takes && isMaker) return deny(denied('E509', `${price} would take at once, and postOnly does not`))
  const order = {
    type: 'limit',
    price,
    ...pricingWords(priced),
    timeInForce: isMaker ? 'postOnly' : (command.tif ?? 'gtc'),
    positionSide,
    warnings: takes ? [crossing(price)] : farWarnings(priced),
  } as const
  const asked = scene.isLeg === true ? shrinking(command, side, scene) : command
  const size = sizeOrder(asked, market, reading, price)
  return finishOrder({ size, order, asked, price }, scene)
}

function crosses(side: Side, price: string, { reading }: Scene): boolean {
  return side === 'buy' ? !isLess(price, reading.ask) : !isGreater(price, reading.bid)
}

function crossing(price: string): Warning {
  return { code: 'W703', text: `the limit price ${price} crosses the market and will take at once` }
}
