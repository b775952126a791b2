import { changeText } from '../../shared/number-text.ts'

/** What is won or lost, with its sign and its color; nothing where the exchange does not say. */
export function Profit({ amount }: { amount: string | null }) {
  const text = amount === null ? '–' : changeText(amount, 2)
  const tone = text.startsWith('+') ? 'is-won' : text.startsWith('-') ? 'is-lost' : 'is-even'
  return <span className={`profit ${tone}`}>{text}</span>
}
