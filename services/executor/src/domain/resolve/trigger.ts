import { isGreater, isLess, plain } from '@tripline/proto/decimal'
import type { Price, Trigger } from '@tripline/proto/language/tree'
import type { Market } from '../order/market.ts'
import { type Denial, denied } from '../sizing/basis.ts'
import { type Priced, type Pricing, resolvePrice } from './price.ts'

/** Returns the trigger of an order that names none. */
export function defaultTrigger({ kind }: Market): Trigger {
  return kind === 'linear' ? 'mark' : 'last'
}

/** The price of a trigger; refused where the market is past it already, since it would fire at once. */
export function triggerPrice(asked: Price, pricing: Pricing, trigger: Trigger): Priced | Denial {
  const priced = resolvePrice(asked, pricing)
  if ('code' in priced || waits(priced, pricing, trigger)) return priced
  if (priced.far !== undefined) return denied('E508', priced.far)
  const where = waitsAbove(pricing) ? 'above' : 'below'
  const now = marketAt(pricing, trigger)
  return denied(
    'E507',
    `${priced.price} would trigger at once: it must be ${where} the market (${plain(now)})`,
  )
}

/** True for a price that the market has not reached. */
export function waits({ price }: Priced, pricing: Pricing, trigger: Trigger): boolean {
  const now = marketAt(pricing, trigger)
  return waitsAbove(pricing) ? isGreater(price, now) : isLess(price, now)
}

function waitsAbove({ side, purpose }: Pricing): boolean {
  return (side === 'buy') === (purpose === 'stop')
}

function marketAt({ side, reading }: Pricing, trigger: Trigger): string {
  if (trigger !== 'last') return reading.mark
  return side === 'buy' ? reading.ask : reading.bid
}
