import { accountTexts } from './account-texts.ts'

/** The side of a position or an order, by word and color. */
export function SideMark({ side }: { side: keyof typeof accountTexts.sides }) {
  const isUp = side === 'long' || side === 'buy'
  return <span className={`side-mark ${isUp ? 'is-up' : 'is-down'}`}>{accountTexts.sides[side]}</span>
}
