import { changeText } from '../../shared/number-text.ts'

/** A profit or loss, with its sign and its color; nothing if the exchange has none. */
export function Profit({ amount }: { amount: string | null }) {
  const text = amount === null ? '–' : changeText(amount, 2)
  const tone = text.startsWith('+') ? 'is-won' : text.startsWith('-') ? 'is-lost' : 'is-even'
  return <span className={`profit ${tone}`}>{text}</span>
}
