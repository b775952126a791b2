import { power } from './fixed.ts'

const VALUE_PLACES = 8

/** A range of position value with the leverage it allows and the margin it must keep, in parts of 10,000. */
export type Bracket = Readonly<{
  leverage: number
  floor: bigint
  cap: bigint
  maintenance: bigint
  deduction: bigint
}>

type Tier = readonly [leverage: number, cap: number, maintenance: number]

const BINANCE_MAJOR: readonly Tier[] = [
  [125, 300_000, 40],
  [100, 800_000, 50],
  [75, 3_000_000, 65],
  [50, 12_000_000, 100],
  [25, 70_000_000, 200],
  [20, 100_000_000, 250],
  [10, 230_000_000, 500],
  [5, 480_000_000, 1000],
  [4, 600_000_000, 1250],
  [3, 800_000_000, 1500],
  [2, 1_200_000_000, 2500],
  [1, 1_800_000_000, 5000],
]

const BINANCE_MINOR: readonly Tier[] = [
  [75, 10_000, 50],
  [50, 80_000, 100],
  [40, 400_000, 150],
  [25, 2_000_000, 200],
  [20, 8_000_000, 250],
  [10, 20_000_000, 500],
  [5, 40_000_000, 1000],
  [2, 60_000_000, 2500],
  [1, 80_000_000, 5000],
]

const BYBIT_MAJOR: readonly Tier[] = [
  [100, 2_000_000, 50],
  [50, 10_000_000, 100],
  [40, 20_000_000, 125],
  [25, 60_000_000, 200],
  [10, 200_000_000, 500],
  [5, 400_000_000, 1000],
  [2, 800_000_000, 2500],
  [1, 1_200_000_000, 5000],
]

const BYBIT_MINOR: readonly Tier[] = [
  [75, 200_000, 65],
  [50, 1_000_000, 100],
  [25, 5_000_000, 200],
  [10, 20_000_000, 500],
  [5, 40_000_000, 1000],
  [2, 60_000_000, 2500],
  [1, 80_000_000, 5000],
]

// The deduction makes the maintenance margin continuous from one bracket to the next.
function bracketsOf(tiers: readonly Tier[]): readonly Bracket[] {
  const brackets: Bracket[] = []
  for (const [leverage, whole, rate] of tiers) {
    const last = brackets.at(-1)
    const floor = last?.cap ?? 0n
    const maintenance = BigInt(rate)
    const deduction = last ? last.deduction + (floor * (maintenance - last.maintenance)) / 10_000n : 0n
    brackets.push({ leverage, floor, cap: BigInt(whole) * power(VALUE_PLACES), maintenance, deduction })
  }
  return brackets
}

/** The brackets of the venues' large and small markets. */
export const BRACKETS = {
  none: [] as readonly Bracket[],
  binanceMajor: bracketsOf(BINANCE_MAJOR),
  binanceMinor: bracketsOf(BINANCE_MINOR),
  bybitMajor: bracketsOf(BYBIT_MAJOR),
  bybitMinor: bracketsOf(BYBIT_MINOR),
} as const
