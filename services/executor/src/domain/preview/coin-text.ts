import { floorToStep, isZero, least, plain } from '@tripline/proto/decimal'
import type { Market } from '../order/market.ts'

const cent = '0.01'

/**
 * An amount of a coin as finely as its market trades: its quote coin to the tick, at least to the cent, its base coin
 * to the step, rounded down. Amounts below that, and any other coin, are shown as they are.
 */
export function coinText(amount: string, coin: string, market: Market): string {
  const step = stepOf(coin, market)
  const rounded = step === undefined ? amount : floorToStep(amount, step)
  return plain(isZero(rounded) ? amount : rounded)
}

function stepOf(coin: string, { base, quote, quantityStep, priceTick }: Market): string | undefined {
  if (coin === quote) return least(priceTick, cent)
  return coin === base ? quantityStep : undefined
}
