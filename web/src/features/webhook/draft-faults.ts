import { isAtMost } from '@tripline/proto/language/number-text'
import { readLeverage } from '@tripline/proto/language/value'
import { isSymbol, type MessageDraft, positive } from './build-message.ts'
import { webhookTexts } from './texts.ts'

const { faults: words } = webhookTexts.builder

type Checked = 'symbol' | 'size' | 'leverage' | 'stopLoss' | 'takeProfit'

/** The faults of a draft's fields, by field. */
export type DraftFaults = Partial<Record<Checked, string>>

/** Returns what no message can be made from, so that it is said at its field and nothing is changed silently. */
export function draftFaults(draft: MessageDraft): DraftFaults {
  const { symbol, isFromChart, action, size, leverage, stopLoss, takeProfit } = draft
  const faults = {
    symbol: isFromChart || isSymbol(symbol) ? undefined : words.symbol,
    ...(action !== 'close' && {
      size: positive(size) === undefined ? words.size : undefined,
      leverage: leverage.trim() === '' ? undefined : readLeverage(leverage.trim()).fault?.expected,
      stopLoss: isPercent(stopLoss) ? undefined : words.percent,
      takeProfit: isPercent(takeProfit) ? undefined : words.percent,
    }),
  }
  return Object.fromEntries(Object.entries(faults).filter(([, fault]) => fault !== undefined))
}

/** True for a distance that an exit can have, and for none. */
function isPercent(text: string): boolean {
  if (text.trim() === '') return true
  const value = positive(text)
  return value !== undefined && isAtMost(value, '99')
}
