import type { ValueKind } from '@tripline/proto/language/command-table'
import { placeholderReference, symbolPlaceholder } from '@tripline/proto/language/reference'
import { isSymbol, type MessageDraft } from './build-message.ts'

/** The bot's act on an alert of a strategy: it takes the strategy's position, or repeats each of its orders. */
export type Follow = 'position' | 'orders'

type Aim = Pick<MessageDraft, 'label' | 'symbol' | 'isFromChart'>

/** The message for the alerts of a strategy, with what the charting platform fills in. */
export function strategyMessage({ label, symbol, isFromChart }: Aim, follow: Follow): string {
  const market = isFromChart || !isSymbol(symbol) ? symbolPlaceholder.text : symbol.trim()
  const values =
    follow === 'position'
      ? `position=${placeholder('position')}`
      : `${placeholder('side')}, ${placeholder('amount')}`
  return `${label}(${market}) {\n  market(${values})\n}`
}

/** A message as it arrives where a strategy on this symbol has just bought so much: to try it. */
export function filledMessage(message: string, symbol: string): string {
  return message
    .replaceAll(symbolPlaceholder.text, symbol)
    .replaceAll(placeholder('position'), '0.01')
    .replaceAll(placeholder('side'), 'buy')
    .replaceAll(placeholder('amount'), '0.01')
}

function placeholder(kind: ValueKind): string {
  const found = placeholderReference.find(({ kinds }) => kinds.includes(kind))
  if (found === undefined) throw new Error(`The language has no placeholder for a ${kind}`)
  return found.text
}
