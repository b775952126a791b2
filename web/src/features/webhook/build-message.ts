import { formatBlocks } from '@tripline/proto/language/format-blocks'
import { isZeroText } from '@tripline/proto/language/number-text'
import { readSymbol } from '@tripline/proto/language/symbol'
import type { AmountBasis, Block, Command } from '@tripline/proto/language/tree'
import { readAmount, readLeverage } from '@tripline/proto/language/value'

/** The values of the builder's fields, as they were typed. */
export interface MessageDraft {
  label: string
  symbol: string
  isFromChart: boolean
  action: 'buy' | 'sell' | 'close'
  size: string
  unit: Extract<AmountBasis, 'base' | 'percentEquity' | 'percentAvailable' | 'quote'>
  leverage: string
  stopLoss: string
  takeProfit: string
}

export const defaultSymbol = 'BTCUSDT'
const nowhere = { offset: 0, length: 0 }
const located = { span: nowhere, valueSpans: {} }

/** Whether a text is a symbol. */
export function isSymbol(text: string): boolean {
  return readSymbol(text.trim()).fault === undefined
}

/** The message that a draft without faults calls for. */
export function buildMessage(draft: MessageDraft): string {
  const block = blockOf(draft)
  const text = formatBlocks([block])
  // The placeholder is for the charting platform, the language has no such symbol.
  return draft.isFromChart ? text.replace(`(${block.symbol}`, '({{ticker}}') : text
}

/** A message in a JSON object, as every alert format takes it. */
export function asJson(message: string): string {
  return JSON.stringify({ message })
}

function blockOf(draft: MessageDraft): Block {
  const { symbol, perp } = symbolOf(draft)
  const spans = { labelSpan: nowhere, symbolSpan: nowhere, span: nowhere }
  return { label: draft.label, symbol, perp, commands: commandsOf(draft), ...spans }
}

function symbolOf({ symbol, isFromChart }: MessageDraft): { symbol: string; perp: boolean } {
  const reading = readSymbol(isFromChart ? defaultSymbol : symbol.trim())
  return reading.fault ? { symbol: defaultSymbol, perp: false } : reading.value
}

function commandsOf(draft: MessageDraft): Command[] {
  if (draft.action === 'close') {
    return [{ ...located, type: 'market', position: { basis: 'base', value: '0' } }]
  }
  const { action: side, unit: basis } = draft
  const leverage = leverageOf(draft.leverage)
  const entry: Command = {
    ...located,
    type: 'market',
    side,
    amount: { basis, value: positive(draft.size) ?? '0' },
  }
  const exits = exitsOf(draft)
  return [
    ...(leverage === undefined ? [] : [{ ...located, type: 'exchangeSettings' as const, leverage }]),
    entry,
    ...(exits === undefined ? [] : [exits]),
  ]
}

function exitsOf({ stopLoss, takeProfit }: MessageDraft): Command | undefined {
  const sl = percentOf(stopLoss)
  const tp = percentOf(takeProfit)
  if (sl === undefined && tp === undefined) return undefined
  const amount = { basis: 'percentPosition', value: '100' } as const
  return { ...located, type: 'stopOrTakeProfit', amount, ...(sl && { sl }), ...(tp && { tp }) }
}

function percentOf(text: string) {
  const value = positive(text)
  return value === undefined ? undefined : ({ basis: 'offset', value, percent: true } as const)
}

/** The number in a text as the language writes it, if it is one above zero. */
export function positive(text: string): string | undefined {
  const reading = readAmount(text.trim())
  if (reading.fault || reading.value.basis !== 'base' || isZeroText(reading.value.value)) return undefined
  return reading.value.value
}

function leverageOf(text: string): string | undefined {
  const reading = text.trim() === '' ? undefined : readLeverage(text.trim())
  return reading === undefined || reading.fault ? undefined : reading.value
}
