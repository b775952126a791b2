import { BalanceOutcome, NothingToDo, OrderOutcome, PlacedOutcome } from '@tripline/proto/command-result'
import type { ExecutedCommand, ExecutionView } from '@tripline/proto/http/execution'
import { z } from 'zod'
import { durationText } from '../../shared/format.ts'
import { explainError } from '../../shared/help/error-help.ts'
import { coinText, numberText, priceText } from '../../shared/number-text.ts'
import { orderStatusText } from '../../shared/order-status-text.ts'
import { texts } from './texts.ts'

/** The outcome of one command, in few words. */
export interface OutcomeWords {
  /** The index of the command. */
  index: number
  text: string
  isFailure: boolean
}

/** Returns the outcomes of an execution's commands, as far as there is something to say. */
export function outcomeWords({ commands_executed, exchange }: ExecutionView): OutcomeWords[] {
  return commands_executed.flatMap((command, index): OutcomeWords[] => {
    if (command.error_code !== null) {
      const { title } = explainError(command.error_code, command.error_message, exchange)
      return [{ index, text: `${command.error_code} ${title}`, isFailure: true }]
    }
    const text = resultWords(command)
    return text === undefined ? [] : [{ index, text, isFailure: false }]
  })
}

/** Whether an entry of it was not made, since its alert was too old. */
export function isLate({ error_code, commands_executed }: ExecutionView): boolean {
  return [error_code, ...commands_executed.map((command) => command.error_code)].includes('E515')
}

/** Whether nothing of its alert was executed: its row has the id of the alert. */
export function isRefused({ id, alert_id }: ExecutionView): boolean {
  return id === alert_id
}

const Protection = z.object({ stopLoss: OrderOutcome.nullable(), takeProfit: OrderOutcome.nullable() })
const Group = z.object({ orders: z.array(OrderOutcome) })
const Canceled = z.object({ cancelled_count: z.int() })
const Waited = z.object({ duration: z.number() })
const Settings = z.object({
  leverage: z.string().nullable(),
  margin_mode: z.string().nullable(),
  position_mode: z.string().nullable(),
})

type ResultText = (result: unknown) => string | undefined

/** Returns the text of results of this form. */
function textFor<T>(form: z.ZodType<T>, textOf: (result: T) => string): ResultText {
  return (result) => {
    const read = form.safeParse(result)
    return read.success ? textOf(read.data) : undefined
  }
}

const resultTexts: ResultText[] = [
  textFor(PlacedOutcome, orderWords),
  textFor(BalanceOutcome, ({ balance }) => coinText(balance.total, balance.coin)),
  textFor(NothingToDo, () => 'nothing to do'),
  textFor(Protection, ({ stopLoss, takeProfit }) =>
    [exitWords('SL', stopLoss), exitWords('TP', takeProfit)].filter(Boolean).join(' · '),
  ),
  textFor(Group, ({ orders }) => orders.map(orderWords).join(' · ')),
  textFor(Canceled, ({ cancelled_count: count }) => `${count} ${count === 1 ? 'order' : 'orders'} canceled`),
  textFor(Waited, ({ duration }) => `waited ${durationText(duration)}`),
  textFor(Settings, ({ leverage, margin_mode, position_mode }) =>
    [leverage && `${numberText(leverage)}x`, margin_mode, position_mode].filter(Boolean).join(' '),
  ),
]

function resultWords({ result }: ExecutedCommand): string | undefined {
  if (result === null) return undefined
  for (const textOf of resultTexts) {
    const text = textOf(result)
    if (text !== undefined) return text === '' ? undefined : text
  }
  return undefined
}

const typeWords: Record<OrderOutcome['type'], string> = {
  market: '',
  limit: 'LIMIT ',
  stop: 'STOP ',
  stopLimit: 'STOP ',
  takeProfit: 'TP ',
  takeProfitLimit: 'TP ',
  other: '',
}

// An order that stands or is filled as wanted needs no word for it.
const usualStates: readonly string[] = ['filled', 'open', 'untriggered', 'held']

/** Side, size and price of an order, by how much it slipped, and how it ended where that is not as wanted. */
function orderWords(order: OrderOutcome): string {
  const { type, side, amount, filled, status, price, triggerPrice, slippage_percent: slippage } = order
  const isPart = status !== 'filled' && /[1-9]/.test(filled)
  const size = isPart ? `${numberText(filled)} of ${numberText(amount)}` : numberText(amount)
  const at = status === 'untriggered' || status === 'held' ? (triggerPrice ?? price) : price
  return [
    `${typeWords[type]}${side.toUpperCase()} ${size}`,
    at && `@ ${priceText(at)}`,
    slippage && slippageWords(slippage),
    !usualStates.includes(status) && !isPart && orderStatusText(status),
  ]
    .filter(Boolean)
    .join(' ')
}

/** Nothing where the price was as expected to the second place. */
function slippageWords(percent: string): string {
  const text = numberText(percent, 2)
  return /[1-9]/.test(text) ? `(slippage ${text}%)` : ''
}

function exitWords(name: string, order: OrderOutcome | null): string {
  const at = order && (order.triggerPrice ?? order.price)
  return at ? `${name} ${numberText(at)}` : ''
}

// No commands, or no bot before them.
const unnamedCodes: readonly (string | null)[] = ['E101', 'E103']

/** Returns why no bot is known of an alert: it named none, or none of the user's, or was not read, such as by a webhook that is off. */
export function unknownBotWords({ error_code: code }: Pick<ExecutionView, 'error_code'>): string {
  if (unnamedCodes.includes(code)) return texts.unnamedBot
  return code === 'E201' ? texts.unknownBot : texts.unread
}
