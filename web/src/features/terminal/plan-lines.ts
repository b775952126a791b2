import type { BlockPlan, PlannedCommand, PlannedOrder } from '@tripline/proto/plan'
import { numbersInText, numberText } from '../../shared/number-text.ts'
import { previewTexts } from './texts.ts'

/** One line of what a message would do. */
export interface PlanLine {
  key: string
  outcome: PlannedCommand['outcome'] | 'unknown'
  command: string
  text: string
  /** Why nothing would be done, where that has a code. */
  code: string | null
  /** The arithmetic behind it, where there is any. */
  reason: string
  warnings: PlannedOrder['warnings']
}

/** Returns the lines of a block's plan; a single one if the block as a whole is refused or cannot be planned. */
export function planLines({ outcome, commands, error, error_code: code }: BlockPlan): PlanLine[] {
  if (outcome === 'planned') return commands.flatMap(commandLines)
  const line = { key: 'block', command: '', text: coded(code, error), code, reason: '', warnings: [] }
  return [{ ...line, outcome: outcome === 'refused' ? 'refused' : 'unknown' }]
}

function commandLines(planned: PlannedCommand, index: number): PlanLine[] {
  const { command, outcome, orders, error_code: code } = planned
  const shared = { outcome, command, code, reason: '', warnings: [] }
  if (orders.length === 0) return [{ ...shared, key: String(index), text: outcomeText(planned) }]
  return orders.map((order, leg) => ({
    ...shared,
    key: `${index}.${leg}`,
    text: orderText(order),
    reason: numbersInText([order.sizing, order.pricing].filter((part) => part?.includes('=')).join(' · ')),
    warnings: order.warnings.map(({ code, text }) => ({ code, text: coded(code, text) })),
  }))
}

function outcomeText({ outcome, note, error, error_code: code }: PlannedCommand): string {
  if (outcome === 'refused') return coded(code, error)
  return numbersInText(note ?? (outcome === 'skipped' ? previewTexts.skipped : ''))
}

function coded(code: string | null, text: string | null): string {
  if (code === null) return text ?? ''
  return numbersInText(text?.startsWith(code) ? text : `${code} ${text ?? ''}`.trim())
}

function orderText(order: PlannedOrder): string {
  const { quantity, quote_quantity: spent } = order
  const size = spent === undefined ? numberText(quantity) : `for ${numberText(spent)}`
  const reduces = order.reduce_only ? ` · ${previewTexts.reduceOnly}` : ''
  return `${order.side} ${size} ${orderPriceText(order)}${reduces}`
}

function orderPriceText({ type, price, trigger, trigger_price: triggerPrice }: PlannedOrder): string {
  const limit = price === undefined ? '' : `@ ${numberText(price)}`
  if (type === 'market') return previewTexts.market
  if (type === 'limit') return limit
  return [words[type], `at ${trigger ?? ''} ${numberText(triggerPrice ?? '')}`, limit]
    .join(' ')
    .replaceAll(/ +/g, ' ')
    .trim()
}

const words = {
  stop: 'stop',
  stopLimit: 'stop-limit',
  takeProfit: 'take-profit',
  takeProfitLimit: 'take-profit limit',
}
