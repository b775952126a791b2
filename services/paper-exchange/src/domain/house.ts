import { larger, power } from './fixed.ts'
import { type Market, VALUE_SCALE, valueAt } from './market.ts'
import type { Level, Quote } from './quote.ts'
import { hashOf, nextRandom } from './random.ts'

/** The house's offers, best first. */
export type HouseDepth = Readonly<{ bids: readonly Level[]; asks: readonly Level[] }>

const LEVELS = 10
const MAJORS = ['BTC', 'ETH']
// The worth of a side's first level, in the quote coin.
const MAJOR_WORTH = 250_000n * power(VALUE_SCALE)
const MINOR_WORTH = 100_000n * power(VALUE_SCALE)
// Levels lie two parts of ten thousand apart, and each is worth three tenths of the first more than the one before.
const GAP_PARTS = 5_000n
const GROWTH = 3n

/** The house's offers: a pure function of market, quote and step. */
export function houseDepth(market: Market, quote: Quote, step: number): HouseDepth {
  const random = hashOf(`${market.id} ${step}`)
  return {
    bids: levelsFrom(market, quote.bid, -1n, random),
    asks: levelsFrom(market, quote.ask, 1n, nextRandom(random)),
  }
}

function levelsFrom(market: Market, best: bigint, direction: bigint, random: number): Level[] {
  const gap = larger(market.tick, (best / GAP_PARTS / market.tick) * market.tick)
  const levels: Level[] = []
  let drawn = random
  for (let level = 0n; level < LEVELS; level += 1n) {
    const price = best + direction * level * gap
    if (price <= 0n) break
    drawn = nextRandom(drawn)
    levels.push({ price, quantity: quantityAt(market, price, level, BigInt(drawn % 21)) })
  }
  return levels
}

// Between 90 and 110 parts of a hundred of what the level is worth.
function quantityAt(market: Market, price: bigint, level: bigint, jitter: bigint): bigint {
  const worth = MAJORS.includes(market.base) ? MAJOR_WORTH : MINOR_WORTH
  const wanted = (worth * (10n + level * GROWTH) * (90n + jitter)) / 1000n
  const quantity = wanted / larger(1n, valueAt(market, 1n, price))
  return larger(market.minQuantity, quantity - (quantity % market.step))
}
