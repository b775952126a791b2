import {
  BalanceOutcome,
  GroupOutcome,
  NothingToDo,
  OrderOutcome,
  PlacedOutcome,
  type TakenBackOrder,
} from '@tripline/proto/command-result'
import type { WebhookAnswer } from '@tripline/proto/http/webhook'
import { z } from 'zod'
import { endedText } from '../../shared/ended-text.ts'
import { durationText } from '../../shared/format.ts'
import { changeText, coinAmountText, numbersInText, numberText, priceText } from '../../shared/number-text.ts'
import { orderStatusText } from '../../shared/order-status-text.ts'

type Command = WebhookAnswer['results'][number]['results'][number]
type ResultText = (result: unknown) => string | undefined

/** Returns a command's result, on one line. */
export function commandDetail({ result, error, error_code, status }: Command): string {
  if (error !== null) return numbersInText(withCode(error, error_code))
  for (const textOf of resultTexts) {
    const text = textOf(result)
    if (text !== undefined) return text
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

/** Returns the text of results of this form. */
function textFor<T>(form: z.ZodType<T>, textOf: (result: T) => string): ResultText {
  return (result) => {
    const read = form.safeParse(result)
    return read.success ? textOf(read.data) : undefined
  }
}

const resultTexts: ResultText[] = [
  textFor(PlacedOutcome, orderDetail),
  textFor(BalanceOutcome, balanceDetail),
  textFor(NothingToDo, ({ ended }) => ['nothing to do', endedText(ended)].filter(Boolean).join(' · ')),
  textFor(Protection, ({ stopLoss, takeProfit }) =>
    [legDetail('stop loss', stopLoss), legDetail('take profit', takeProfit)].filter(Boolean).join(' · '),
  ),
  textFor(GroupOutcome, ({ orders_count: count, orders, kept_by: keeper }) =>
    [
      `${count} orders`,
      ...orders.map(groupedDetail),
      `managed by ${keeper === 'venue' ? 'the exchange' : 'Tripline'}`,
    ].join(' · '),
  ),
  textFor(Canceled, ({ cancelled_count: count }) => `${count} ${count === 1 ? 'order' : 'orders'} canceled`),
  textFor(Waited, ({ duration }) => `waited ${durationText(duration)}`),
  textFor(Settings, settingsDetail),
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
  const amountTexts = Object.entries(amounts).map(
    ([name, amount]) => `${name} ${coinAmountText(amount, coin)}`,
  )
  const text = `${coin} ${amountTexts.join(' · ')}`
  if (position === null) return text
  if (position.side === 'flat') return `${text} · flat`
  const entry = position.entry_price === null ? '' : ` @ ${priceText(position.entry_price)}`
  const gain = `P&L ${changeText(profit, 2)}`
  return `${text} · ${position.side} ${numberText(position.quantity)}${entry} · ${gain}`
}

function settingsDetail({ leverage, margin_mode, position_mode, note }: z.infer<typeof Settings>): string {
  const set = [leverage && `leverage ${numberText(leverage)}x`, margin_mode, position_mode].filter(Boolean)
  return numbersInText(note) || set.join(', ')
}

/** Returns in words which orders were taken back for a sale; undefined where none was. */
function takenText(orders: readonly TakenBackOrder[] = []): string | undefined {
  const { length: count } = orders
  if (count === 0) return undefined
  const again = orders.filter(({ stands_again: left }) => left !== null).length
  const standing = again === 0 ? '' : `, ${again === count ? '' : `${again} `}placed again for what is left`
  return `${count} ${count === 1 ? 'order' : 'orders'} taken back for it${standing}`
}
