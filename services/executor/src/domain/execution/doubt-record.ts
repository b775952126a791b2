import type { CommandResult } from '@tripline/proto/command-result'
import type { LegsRecord } from '../group/legs-record.ts'
import type { Attempt, Decision } from '../order/attempt.ts'
import type { OrderRef } from '../order/order.ts'
import { foundAgain } from '../order/outcome.ts'
import type { Execution } from './state.ts'

/**
 * Returns the record of a command that was given up as unknown, so that it is looked up repeatedly; undefined where no
 * order of it is in doubt.
 */
export function doubtRecord({ current }: Execution, { errorCode }: CommandResult): LegsRecord | undefined {
  const { stored, orders = [] } = current
  const isOpen = orders.some(({ doubt, found }) => (doubt ?? found) !== undefined)
  if (errorCode !== 'E602' || !isOpen) return undefined
  if (stored !== undefined) return { ...stored.record, isUntold: true }
  return {
    state: 'live',
    keeper: 'executor',
    rules: { mode: 'cancel', onPartial: 'reduce' },
    legs: orders.map((attempt) => ({ decision: decisionOf(attempt), revision: 0 })),
    isUntold: true,
  }
}

/** Returns an order's decision, as far as it is known. */
export function decisionOf({ decision, ref }: Attempt): Decision {
  return decision ?? { plan: planUnknown(ref) }
}

/** Returns a plan for an unknown decision of an earlier owner: only its id counts. */
function planUnknown({ clientOrderId, symbol, isConditional }: OrderRef): Decision['plan'] {
  return {
    clientOrderId: clientOrderId as Decision['plan']['clientOrderId'],
    symbol,
    type: isConditional ? 'stop' : 'market',
    side: 'buy',
    quantity: '0',
    reduceOnly: false,
    positionSide: 'both',
    sizing: foundAgain,
  }
}
