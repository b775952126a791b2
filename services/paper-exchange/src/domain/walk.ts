import { nextRandom } from './random.ts'

/** Prices of the walk have more places than any market, so that small moves are not lost. */
export const WALK_SCALE = 14

/** A coin's price, and the random number that moves it next. */
export type Walk = Readonly<{ price: bigint; random: number }>

// A step moves the price by up to 150 parts of a million and a two thousandth of the way back to its center.
const REACH = 150n
const PULL = 2000n
const MILLION = 1_000_000n
const DRAWS = 4
const HALF_SPAN = BigInt(DRAWS * 0x7fff)

/** The walk one step on: random, but drawn back to the center. Pure, so a seed gives the same prices again. */
export function nextWalk({ price, random }: Walk, center: bigint): Walk {
  let drawn = random
  let sum = 0n
  for (let draw = 0; draw < DRAWS; draw += 1) {
    drawn = nextRandom(drawn)
    sum += BigInt(drawn & 0xffff)
  }
  const noise = (price * REACH * (sum - HALF_SPAN)) / (HALF_SPAN * MILLION)
  const next = price + noise + (center - price) / PULL
  return { price: next > 0n ? next : price, random: drawn }
}
