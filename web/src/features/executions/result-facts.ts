import {
  BalanceOutcome,
  type EndedOutcome,
  NothingToDo,
  OrderOutcome,
  PlacedOutcome,
  type TakenBackOrder,
} from '@tripline/proto/command-result'
import { remarksIn } from '@tripline/proto/remark'
import { z } from 'zod'
import { endedText } from '../../shared/ended-text.ts'
import { durationText } from '../../shared/format.ts'
import { coinAmountText, coinText, numbersInText, numberText, priceText } from '../../shared/number-text.ts'
import { orderStatusText } from '../../shared/order-status-text.ts'

/** One thing that a result says, in words. */
export interface Fact {
  name: string
  value: string
  /** It is what the result warns of. */
  isWarning?: boolean
}

/** Returns the facts of a command's result that a person looks for first: its orders, or its few values. */
export function factsOf(result: Record<string, unknown> | null): Fact[] {
  const remarks = remarksIn(result).map(({ code, text }) => ({
    name: code,
    value: numbersInText(text),
    isWarning: code.startsWith('W'),
  }))
  return [...valuesOf(result), ...remarks]
}

function valuesOf(result: Record<string, unknown> | null): Fact[] {
  if (result === null) return []
  const order = PlacedOrder.safeParse(result)
  if (order.success) return orderFacts(order.data)
  const balance = BalanceOutcome.safeParse(result)
  if (balance.success) return balanceFacts(balance.data)
  const nothing = NothingToDo.safeParse(result)
  if (nothing.success) return endedFacts(nothing.data.ended)
  const wait = Waited.safeParse(result)
  if (wait.success) return [{ name: 'waited', value: durationText(wait.data.duration) }]
  const settings = Settings.safeParse(result)
  if (settings.success) return [{ name: 'settings', value: numbersInText(settings.data.note) }]
  const canceled = Canceled.safeParse(result)
  if (canceled.success) return [{ name: 'canceled', value: ordersText(canceled.data.cancelled_count) }]
  const { orders_count: _counted, kept_by: keeper, ...values } = result
  const keptText = keepers.find(({ by }) => by === keeper)
  return [
    ...Object.entries(values).flatMap(([name, value]) => valueFacts(words(name), value)),
    ...(keptText === undefined ? [] : [{ name: 'managed by', value: keptText.name }]),
  ]
}

/** An order with its state in words, if more is known of it than the answer had. */
const standing = z.string().optional()
const PlacedOrder = PlacedOutcome.extend({ standing })
type PlacedOrder = z.infer<typeof PlacedOrder>
const ListedOrder = OrderOutcome.extend({ standing })
type ListedOrder = z.infer<typeof ListedOrder>

const Waited = z.object({ duration: z.number(), woke_at: z.number() })
const Canceled = z.object({ cancelled_count: z.int().positive() })
// Its note says all that was set.
const Settings = z.object({ changed: z.boolean(), note: z.string() })

// The part that cancels the other orders of a group once one of it is filled.
const keepers = [
  { by: 'venue', name: 'the exchange' },
  { by: 'executor', name: 'Tripline' },
] as const

function ordersText(count: number): string {
  return `${count} ${count === 1 ? 'order' : 'orders'}`
}

function endedFacts(ended: readonly EndedOutcome[] | undefined): Fact[] {
  const value = endedText(ended)
  return value === undefined ? [] : [{ name: 'besides', value }]
}

function orderFacts(order: PlacedOrder): Fact[] {
  const {
    id,
    status,
    filled,
    amount,
    sizing,
    pricing,
    slippage_percent: slippage,
    taken_back: takenBack = [],
  } = order
  return [
    { name: 'order', value: id },
    {
      name: 'status',
      value: `${order.standing ?? orderStatusText(status)}, ${numberText(filled)} of ${numberText(amount)} filled`,
    },
    ...(order.price === null ? [] : [{ name: 'price', value: priceText(order.price) }]),
    ...(order.triggerPrice ? [{ name: 'trigger', value: numberText(order.triggerPrice) }] : []),
    ...feeFacts(order),
    ...(slippage ? [{ name: 'slippage', value: `${numberText(slippage)}%` }] : []),
    { name: 'sizing', value: numbersInText(sizing) },
    ...(pricing ? [{ name: 'pricing', value: numbersInText(pricing) }] : []),
    ...(takenBack.length > 0 ? [{ name: 'taken back', value: takenBack.map(takenLine).join('; ') }] : []),
    ...endedFacts(order.ended),
  ]
}

// More of it may be filled, and cost more, than its command's answer knew.
const openStates: readonly OrderOutcome['status'][] = ['untriggered', 'open', 'partially_filled', 'held']

/** Nothing where nothing was filled. */
function feeFacts({ filled, status, fee }: OrderOutcome): Fact[] {
  if (!/[1-9]/.test(filled)) return []
  const isOpen = openStates.includes(status)
  if (fee) return [{ name: isOpen ? 'fee so far' : 'fee', value: coinText(fee.amount, fee.coin) }]
  return isOpen ? [] : [{ name: 'fee', value: 'not reported in time' }]
}

function takenLine(order: TakenBackOrder): string {
  const { type, side, amount, price, stands_again: again } = order
  const at = price === null ? '' : ` @ ${numberText(price)}`
  return `${type} ${side} ${numberText(amount)}${at}${again === null ? '' : `, again for ${numberText(again)}`}`
}

function balanceFacts({ balance, equity, position, unrealized_pnl: profit }: BalanceOutcome): Fact[] {
  const heldOrder = {
    name: balance.coin,
    value: `${coinAmountText(balance.total, balance.coin)} total, ${coinAmountText(balance.free, balance.coin)} free`,
  }
  const facts = [heldOrder, { name: 'equity', value: coinAmountText(equity, balance.coin) }]
  if (position === null) return facts
  const entry = position.entry_price === null ? '' : ` @ ${priceText(position.entry_price)}`
  const size = position.side === 'flat' ? 'flat' : `${position.side} ${numberText(position.quantity)}${entry}`
  return [
    ...facts,
    { name: 'position', value: size },
    { name: 'unrealized', value: coinAmountText(profit, balance.coin) },
  ]
}

/** Of an order its line, of a list one for each, of a plain value the value; what is nested deeper is in the response. */
function valueFacts(name: string, value: unknown): Fact[] {
  if (Array.isArray(value)) {
    const one = name === 'orders' ? 'order' : name
    return value.flatMap((part, index) => valueFacts(`${one} ${index + 1}`, part))
  }
  const order = ListedOrder.safeParse(value)
  if (order.success) return [{ name, value: orderLine(order.data) }]
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
    return [{ name, value: numbersInText(String(value)) }]
  }
  return []
}

function orderLine({ side, amount, type, price, status, filled, id, standing: now }: ListedOrder): string {
  const at = price === null ? '' : ` @ ${priceText(price)}`
  // One that is held is not at the exchange, which so has no id for it.
  const named = status === 'held' ? '' : `, order ${id}`
  const part = status === 'canceled' && /[1-9]/.test(filled) ? `, ${numberText(filled)} filled` : ''
  return `${words(type)} ${side} ${numberText(amount)}${at}, ${now ?? orderStatusText(status)}${part}${named}`
}

function words(name: string): string {
  return name.replaceAll('_', ' ').replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
}
