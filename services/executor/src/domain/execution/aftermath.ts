import { standsInPart } from '@tripline/proto/alert'
import type { CommandResult } from '@tripline/proto/command-result'
import { add, isZero } from '@tripline/proto/decimal'
import { hasMovedOn } from '../group/legs-record.ts'
import type { Failure } from '../order/ending.ts'
import { isTerminal } from '../order/order.ts'
import type { Execution } from './state.ts'

/** Time without a report on an order after which a person is notified, and exits need not wait for it any more. */
const longUnknownMs = 15_000

/** True when the fate of an order has been open for long. */
export function longUnknown({ current: { orders = [] } }: Execution, now: number): boolean {
  return orders.some(({ doubt }) => doubt !== undefined && now - doubt.since >= longUnknownMs)
}

/** Returns whether an ended command's record is forgotten or watched; undefined where it has none. */
export function aftermathOf({ current }: Execution): 'forget' | 'watch' | undefined {
  const { stored, orders = [] } = current
  if (stored === undefined) return undefined
  const isOpen = orders.some(({ doubt, found }) => doubt !== undefined || (found && !isTerminal(found)))
  return isOpen || hasMovedOn(stored.record) ? 'watch' : 'forget'
}

/** Returns the alarm for a person: an entry that was filled in this block stands without its protection. */
export function alarmOf(
  { outcomes, commands }: Pick<Execution, 'outcomes' | 'commands'>,
  outcome: CommandResult,
): Failure | undefined {
  const command = commands[outcomes.length]
  const protects = ['stopOrder', 'stopOrTakeProfit', 'oneCancelsOther'].includes(command?.type ?? '')
  if (!protects || outcome.status !== 'failed') return undefined
  if (!outcomes.some(hasEntered)) return undefined
  const ending = standsInPart(outcome) ? 'stands only in part' : 'failed'
  const error = `the entry is filled and its protection ${ending}: ${outcome.error ?? ''}`
  return { code: outcome.errorCode ?? 'E605', error }
}

/** Returns the alarm about an entry that an exit overtook: it is filled, and nothing closes it. */
export function overtakenAlarm(outcome: CommandResult, isOvertaken: boolean): string | undefined {
  if (!isOvertaken || !hasEntered(outcome)) return undefined
  return 'an exit that came later was run before the exchange reported that this order is filled: look whether it left a position'
}

/** Returns the quantity of base coin that a block has bought so far. */
export function boughtIn(outcomes: Execution['outcomes']): string {
  return outcomes.reduce((sum, outcome) => {
    const { result } = outcome
    const isBought = result !== null && 'client_order_id' in result && result.side === 'buy'
    return isBought ? add(sum, result.filled) : sum
  }, '0')
}

function hasEntered({ result }: CommandResult): boolean {
  return result !== null && 'client_order_id' in result && !result.reduce_only && !isZero(result.filled)
}
