import type { CommandResult, OrderOutcome } from '@tripline/proto/command-result'
import { isZero } from '@tripline/proto/decimal'
import type { Watch } from '../group/watch.ts'
import { foundOf } from '../order/attempt.ts'
import { type Ending, failed, succeeded } from '../order/ending.ts'
import { isProtective } from '../order/order.ts'
import { orderOutcome } from '../order/outcome.ts'
import { unanswered } from './single-order.ts'

/** Returns the result of a command that was given up as unknown, once the fate of its orders is known. */
export function amendedOutcome({ attempts, stored }: Watch, type: string): CommandResult {
  const orders = attempts.flatMap((attempt) => foundOf(attempt).map((found) => orderOutcome(found, attempt)))
  return { command: type, ...endingOf(orders, type, stored.record.keeper), executionTimeMs: 0 }
}

function endingOf(orders: OrderOutcome[], type: string, keeper: 'venue' | 'executor'): Ending {
  const [first] = orders
  if (first === undefined) return failed('E601', unanswered)
  if (type === 'oneCancelsOther') {
    return succeeded({ orders_count: orders.length, orders, kept_by: keeper })
  }
  if (type === 'stopOrTakeProfit') {
    const isStop = ({ type: kind }: OrderOutcome): boolean => kind !== 'other' && isProtective({ type: kind })
    return succeeded({
      stopLoss: orders.find(isStop) ?? null,
      takeProfit: orders.find((order) => !isStop(order)) ?? null,
    })
  }
  const hasEnded = !['open', 'untriggered', 'partially_filled'].includes(first.status)
  if (hasEnded && isZero(first.filled)) {
    return failed('E601', `The exchange ended the order as ${first.status}`, first)
  }
  return succeeded(first)
}
