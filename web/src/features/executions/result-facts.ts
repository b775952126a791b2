import {
  BalanceOutcome,
  type EndedOutcome,
  NothingToDo,
  OrderOutcome,
  PlacedOutcome,
  type TakenBackOrder,
} from '@tripline/proto/command-result'
import { remarksIn } from '@tripline/proto/remark'
import { endedText } from '../../shared/ended-text.ts'

/** One thing that a result says, in words. */
export interface Fact {
  name: string
  value: string
  /** It is what the result warns of. */
  isWarning?: boolean
}

/** What the result of a command says that a person looks for first: its orders, or its few values. */
export function factsOf(result: Record<string, unknown> | null): Fact[] {
  const remarks = remarksIn(result).map(({ code, text }) => ({
    name: code,
    value: text,
    isWarning: code.startsWith('W'),
  }))
  return [...valuesOf(result), ...remarks]
}

function valuesOf(result: Record<string, unknown> | null): Fact[] {
  if (result === null) return []
  const order = PlacedOutcome.safeParse(result)
  if (order.success) return orderFacts(order.data)
  const balance = BalanceOutcome.safeParse(result)
  if (balance.success) return balanceFacts(balance.data)
  const nothing = NothingToDo.safeParse(result)
  if (nothing.success) return endedFacts(nothing.data.ended)
  return Object.entries(result).flatMap(([name, value]) => valueFacts(words(name), value))
}

function endedFacts(ended: readonly EndedOutcome[] | undefined): Fact[] {
  const value = endedText(ended)
  return value === undefined ? [] : [{ name: 'besides', value }]
}

function orderFacts(order: PlacedOutcome): Fact[] {
  const {
    id,
    status,
    filled,
    amount,
    sizing,
    pricing,
    fee,
    slippage_percent: slippage,
    taken_back: takenBack = [],
  } = order
  return [
    { name: 'order', value: id },
    { name: 'status', value: `${words(status)}, ${short(filled)} of ${short(amount)} filled` },
    ...(order.price === null ? [] : [{ name: 'price', value: short(order.price) }]),
    ...(order.triggerPrice ? [{ name: 'trigger', value: short(order.triggerPrice) }] : []),
    ...(fee ? [{ name: 'fee', value: `${short(fee.amount)} ${fee.coin}` }] : []),
    ...(slippage ? [{ name: 'slippage', value: `${short(slippage)}%` }] : []),
    { name: 'sizing', value: sizing },
    ...(pricing ? [{ name: 'pricing', value: pricing }] : []),
    ...(takenBack.length > 0 ? [{ name: 'taken back', value: takenBack.map(takenLine).join('; ') }] : []),
    ...endedFacts(order.ended),
  ]
}

function takenLine(order: TakenBackOrder): string {
  const { type, side, amount, price, stands_again: again } = order
  const at = price === null ? '' : ` @ ${short(price)}`
  return `${type} ${side} ${short(amount)}${at}${again === null ? '' : `, again for ${short(again)}`}`
}

function balanceFacts({ balance, equity, position, unrealized_pnl: profit }: BalanceOutcome): Fact[] {
  const held = { name: balance.coin, value: `${short(balance.total)} total, ${short(balance.free)} free` }
  const facts = [held, { name: 'equity', value: short(equity) }]
  if (position === null) return facts
  const entry = position.entry_price === null ? '' : ` @ ${short(position.entry_price)}`
  const size = position.side === 'flat' ? 'flat' : `${position.side} ${short(position.quantity)}${entry}`
  return [...facts, { name: 'position', value: size }, { name: 'unrealized', value: short(profit) }]
}

/** Of an order its line, of a list one for each, of a plain value the value; what is nested deeper is in the response. */
function valueFacts(name: string, value: unknown): Fact[] {
  if (Array.isArray(value)) {
    return value.flatMap((part, index) => valueFacts(`${name} ${index + 1}`, part))
  }
  const order = OrderOutcome.safeParse(value)
  if (order.success) return [{ name, value: orderLine(order.data) }]
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
    return [{ name, value: String(value) }]
  }
  return []
}

function orderLine({ side, amount, type, price, status, id }: OrderOutcome): string {
  const at = price === null ? '' : ` @ ${short(price)}`
  // One that is held is not at the exchange, which so has no id for it.
  const named = status === 'held' ? '' : `, order ${id}`
  return `${type} ${side} ${short(amount)}${at}, ${words(status)}${named}`
}

function words(name: string): string {
  return name.replaceAll('_', ' ')
}

/** A decimal without the zeros at its end. */
function short(decimal: string): string {
  return decimal.includes('.') ? decimal.replace(/\.?0+$/, '') : decimal
}
