import {
  BalanceOutcome,
  GroupOutcome,
  NothingToDo,
  OrderOutcome,
  PlacedOutcome,
} from '@tripline/proto/command-result'
import type { WebhookAnswer } from '@tripline/proto/http/webhook'
import { z } from 'zod'
import { endedText } from '../../shared/ended-text.ts'
import { durationText } from '../../shared/format.ts'
import { changeText, coinAmountText, numbersInText, numberText, priceText } from '../../shared/number-text.ts'
import { orderStatusText } from '../../shared/order-status-text.ts'
import { takenText } from '../../shared/taken-text.ts'

type Command = WebhookAnswer['results'][number]['results'][number]
type Teller = (result: unknown) => string | undefined

/** What a command's result says, on one line. */
export function commandDetail({ result, error, error_code, status }: Command): string {
  if (error !== null) return numbersInText(withCode(error, error_code))
  for (const tell of tellers) {
    const told = tell(result)
    if (told !== undefined) return told
  }
  return result === null ? status : JSON.stringify(result)
}

function withCode(error: string, code: string | null): string {
  return code === null || error.startsWith(code) ? error : `${code} ${error}`
}

const Protection = z.object({ stopLoss: OrderOutcome.nullable(), takeProfit: OrderOutcome.nullable() })
const Canceled = z.object({ cancelled_count: z.int() })
const Waited = z.object({ duration: z.number() })
const Settings = z.object({
  leverage: z.string().nullable(),
  margin_mode: z.string().nullable(),
  position_mode: z.string().nullable(),
  note: z.string(),
})

/** Tells results of this form. */
function telling<T>(form: z.ZodType<T>, tell: (result: T) => string): Teller {
  return (result) => {
    const read = form.safeParse(result)
    return read.success ? tell(read.data) : undefined
  }
}

const tellers: Teller[] = [
  telling(PlacedOutcome, orderDetail),
  telling(BalanceOutcome, balanceDetail),
  telling(NothingToDo, ({ ended }) => ['nothing to do', endedText(ended)].filter(Boolean).join(' · ')),
  telling(Protection, ({ stopLoss, takeProfit }) =>
    [legDetail('stop loss', stopLoss), legDetail('take profit', takeProfit)].filter(Boolean).join(' · '),
  ),
  telling(GroupOutcome, ({ orders_count: count, orders, kept_by: keeper }) =>
    [
      `${count} orders`,
      ...orders.map(groupedDetail),
      `managed by ${keeper === 'venue' ? 'the exchange' : 'Tripline'}`,
    ].join(' · '),
  ),
  telling(Canceled, ({ cancelled_count: count }) => `${count} ${count === 1 ? 'order' : 'orders'} canceled`),
  telling(Waited, ({ duration }) => `waited ${durationText(duration)}`),
  telling(Settings, settingsDetail),
]

function orderDetail(placed: PlacedOutcome): string {
  const { side, amount, price, triggerPrice, status, id, ended, taken_back: takenBack } = placed
  const trigger = triggerPrice ? numberText(triggerPrice) : null
  // Before any fill the price of a stop is its trigger.
  const at = price === null || numberText(price) === trigger ? '' : ` @ ${priceText(price)}`
  const order = `${side} ${numberText(amount)}${at}`
  return [
    order,
    trigger && `trigger ${trigger}`,
    orderStatusText(status),
    `order ${id}`,
    takenText(takenBack),
    endedText(ended),
  ]
    .filter(Boolean)
    .join(' · ')
}

function legDetail(name: string, order: OrderOutcome | null): string {
  if (order === null) return ''
  const at = order.triggerPrice ?? order.price
  return `${name}${at ? ` @ ${numberText(at)}` : ''} ${orderStatusText(order.status)}`
}

function groupedDetail(order: OrderOutcome): string {
  const kind = order.triggerPrice ? 'stop' : 'limit'
  return legDetail(`${kind} ${order.side} ${numberText(order.amount)}`, order)
}

function balanceDetail({ balance, equity, position, unrealized_pnl: profit }: BalanceOutcome): string {
  const { coin, total, free } = balance
  const amounts = { total, free, equity }
  const held = Object.entries(amounts).map(([name, amount]) => `${name} ${coinAmountText(amount, coin)}`)
  const told = `${coin} ${held.join(' · ')}`
  if (position === null) return told
  if (position.side === 'flat') return `${told} · flat`
  const entry = position.entry_price === null ? '' : ` @ ${priceText(position.entry_price)}`
  const gain = `P&L ${changeText(profit, 2)}`
  return `${told} · ${position.side} ${numberText(position.quantity)}${entry} · ${gain}`
}

function settingsDetail({ leverage, margin_mode, position_mode, note }: z.infer<typeof Settings>): string {
  const set = [leverage && `leverage ${numberText(leverage)}x`, margin_mode, position_mode].filter(Boolean)
  return numbersInText(note) || set.join(', ')
}
