import { changeText } from '../../shared/number-text.ts'
import { accountTexts } from './account-texts.ts'

/** A profit or loss, with its sign and its color; nothing if the exchange has none. */
export function Profit({ amount }: { amount: string | null }) {
  const text = amount === null ? '–' : changeText(amount, 2)
  const tone = text.startsWith('+') ? 'is-won' : text.startsWith('-') ? 'is-lost' : 'is-even'
  return <span className={`profit ${tone}`}>{text}</span>
}

/** The side of a position or an order, by word and color. */
export function SideMark({ side }: { side: keyof typeof accountTexts.sides }) {
  const isUp = side === 'long' || side === 'buy'
  return <span className={`side-mark ${isUp ? 'is-up' : 'is-down'}`}>{accountTexts.sides[side]}</span>
}
