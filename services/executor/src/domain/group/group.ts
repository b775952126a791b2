import type { Command } from '@tripline/proto/alert-tree'
import { type Ending, failed } from '../order/ending.ts'
import type { Market } from '../order/market.ts'
import { isProtective, type OrderPlan } from '../order/order.ts'
import type { OrderCommand } from '../resolve/command.ts'
import type { LegsRecord } from './legs-record.ts'

/** A command that comes to several orders, of which one is to end the others. */
export type SeveralCommand = Extract<Command, { type: 'oneCancelsOther' | 'stopOrTakeProfit' }>

/** Fields that all orders of a group share. */
export type Group = Pick<LegsRecord, 'keeper' | 'rules' | 'turn'>

/** True for the name of a command whose record is asked for again should the command be gone through once more. */
export function mayBeSeveral(type: string): boolean {
  return type === 'oneCancelsOther' || type === 'stopOrTakeProfit'
}

/** The group that the orders of a command are; undefined where they are none, an ending where they cannot be one. */
export function groupIn(
  command: OrderCommand,
  plans: readonly OrderPlan[],
  market: Market,
): Group | Ending | undefined {
  const isGroup =
    command.type === 'oneCancelsOther' || (command.type === 'stopOrTakeProfit' && plans.length > 1)
  return isGroup ? groupOf(command, plans, market) : undefined
}

/** Returns the group of these orders: its keeper and rules; an ending where neither the venue nor the executor can manage it. */
export function groupOf(
  command: SeveralCommand,
  plans: readonly OrderPlan[],
  { features, kind }: Market,
): Group | Ending {
  const isAlone = plans.length === 1
  const isPairOnly = kind === 'spot' || features.nativeOco
  if (isPairOnly && !isAlone && !isPair(plans)) return failed('E404', noPair)
  const keeper = features.nativeOco && !isAlone ? 'venue' : 'executor'
  const takesTurns = kind === 'spot' && keeper === 'executor' && !isAlone && { turn: 'stop' as const }
  if (command.type === 'stopOrTakeProfit') {
    return { keeper, rules: { mode: 'cancel', onPartial: 'reduce' }, ...takesTurns }
  }
  const { mode = 'cancel', onPartial = 'reduce' } = command
  return { keeper, rules: { mode, onPartial }, ...takesTurns }
}

/** Why orders are no pair that a spot market can have. */
export const noPair = 'Here a group is a pair of a stop and a limit or take profit, of one side and one size'

function isPair(plans: readonly OrderPlan[]): boolean {
  const [one, other] = plans
  if (one === undefined || other === undefined || plans.length > 2) return false
  const isAlike = one.side === other.side && one.quantity === other.quantity
  return isAlike && isProtective(one) && !isProtective(other)
}
