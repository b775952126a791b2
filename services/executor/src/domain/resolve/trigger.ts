import { isGreater, isLess } from '@tripline/proto/decimal'
import type { Price, Trigger } from '@tripline/proto/language/tree'
import type { Market } from '../market.ts'
import { type Denial, denied } from '../sizing-basis.ts'
import { type Priced, type Pricing, resolvePrice } from './price.ts'

/** What triggers an order that does not say. */
export function defaultTrigger({ kind }: Market): Trigger {
  return kind === 'linear' ? 'mark' : 'last'
}

/** The price of a trigger; refused where the market is there already, since it would fire at once. */
export function triggerPrice(asked: Price, pricing: Pricing, trigger: Trigger): Priced | Denial {
  const priced = resolvePrice(asked, pricing)
  if ('code' in priced) return priced
  const { side, purpose, reading } = pricing
  const now = trigger === 'last' ? (side === 'buy' ? reading.ask : reading.bid) : reading.mark
  const waitsAbove = (side === 'buy') === (purpose === 'stop')
  const waits = waitsAbove ? isGreater(priced.price, now) : isLess(priced.price, now)
  if (waits) return priced
  const where = waitsAbove ? 'above' : 'below'
  return denied('E507', `${priced.price} would trigger at once: it has to lie ${where} the market at ${now}`)
}
