import type { Command } from '@tripline/proto/alert-tree'
import type { PlannedCommand, PlannedOrder } from '@tripline/proto/plan'
import type { AccountReading } from '../account/account.ts'
import type { OwnExit } from '../group/own-exits.ts'
import type { Decision } from '../order/attempt.ts'
import type { Ending } from '../order/ending.ts'
import type { NamedOrder, VenueOrder } from '../order/order.ts'

/** Plan of one command, and the changes behind it. */
export interface PlanStep {
  plan: PlannedCommand
  reading?: AccountReading
  open?: readonly VenueOrder[]
  own?: readonly OwnExit[]
}

/** A planned command with nothing said of it yet. */
export function planned(command: Command, outcome: PlannedCommand['outcome']): PlannedCommand {
  return {
    command: command.type,
    outcome,
    orders: [],
    group: null,
    cancels: [],
    note: null,
    error_code: null,
    error: null,
  }
}

/** A command that would be refused. */
export function refused(command: Command, code: string, error: string): PlannedCommand {
  return { ...planned(command, 'refused'), error_code: code, error }
}

/** A command that would end like this, without an order. */
export function ended(command: Command, { result, errorCode, error }: Ending): PlannedCommand {
  if (errorCode !== null) return refused(command, errorCode, error ?? '')
  const note = result !== null && 'note' in result ? (result.note ?? null) : null
  return { ...planned(command, 'nothing'), note }
}

/** An open order that would be canceled, as the plan shows it. */
export function cancelView(
  order: Omit<NamedOrder, 'venueOrderId' | 'filled'>,
): PlannedCommand['cancels'][number] {
  const { clientOrderId, side, type, quantity, price, triggerPrice } = order
  return { client_order_id: clientOrderId, side, type, amount: quantity, price: price ?? triggerPrice }
}

/** An order as the plan shows it. */
export function orderView({ plan, pricing, warnings = [] }: Decision): PlannedOrder {
  const { type, side, quantity, quoteQuantity, price, triggerPrice, trigger, timeInForce } = plan
  return {
    type,
    side,
    quantity,
    quote_quantity: quoteQuantity,
    price,
    trigger_price: triggerPrice,
    trigger,
    time_in_force: timeInForce,
    reduce_only: plan.reduceOnly,
    position_side: plan.positionSide,
    sizing: plan.sizing,
    pricing,
    warnings,
  }
}
