import type { TradingState } from '@tripline/proto/user-config'

const byStrictness: readonly TradingState[] = ['active', 'reducing', 'halted']

/** Of two trading states the one that allows less. */
export function stricterState(one: TradingState, other: TradingState): TradingState {
  return byStrictness.indexOf(one) > byStrictness.indexOf(other) ? one : other
}
