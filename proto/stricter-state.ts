import type { TradingState } from './user-config.ts'

const byStrictness: readonly TradingState[] = ['active', 'reducing', 'halted']

/** Returns the one of two trading states that allows less. */
export function stricterState(one: TradingState, other: TradingState): TradingState {
  return byStrictness.indexOf(one) > byStrictness.indexOf(other) ? one : other
}
