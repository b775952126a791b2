import { isZeroText } from '../number-text.ts'
import type { Range } from '../problem.ts'
import type { CommandSyntax, Word } from '../syntax.ts'
import { leftOfHundred } from './decimal-text.ts'
import { commandOf } from './syntax-of.ts'

export type Side = 'buy' | 'sell'

/** A text as if it stood at this place. */
export function wordAt(text: string, { start, end }: Range): Word {
  return { text, start, end }
}

/** The word with more behind it, such as a unit. */
export function withUnit(word: Word, unit: string): Word {
  return { ...word, text: word.text + unit }
}

/** Ends whatever position there is. */
export function closeAll(at: Range): CommandSyntax {
  return commandOf('market', at, { position: wordAt('0', at) })
}

/** Ends this many percent of the position, on whichever side it is; undefined above a hundred. */
export function closePercent(at: Range, percent: Word): CommandSyntax | undefined {
  const left = leftOfHundred(percent.text)
  if (left === undefined) return undefined
  const target = isZeroText(left) ? '0' : `${left}%p`
  return commandOf('market', at, { position: wordAt(target, percent) })
}

/** Ends an amount of a position that this side would shrink, and never more than there is. */
export function reduce(at: Range, side: Side, amount: Word, isSpotBot: boolean): CommandSyntax {
  // On spot nothing can be sold that is not there, and the option is refused.
  const reduceOnly = isSpotBot ? undefined : wordAt('true', at)
  return commandOf('market', at, { side: wordAt(side, at), amount, reduceOnly })
}

/**
 * Ends a position on the other side before an order of this one. With the position on this side already it fails and
 * ends the block, since nothing would be left to turn around. On spot there is no other side.
 */
export function reversal(at: Range, side: Side, isSpotBot: boolean): CommandSyntax[] {
  return isSpotBot ? [] : [reduce(at, side, wordAt('100%p', at), isSpotBot)]
}

/** Stops the loss and takes the profit of the whole position; nothing where neither is given. */
export function protect(at: Range, sl: Word | undefined, tp: Word | undefined): CommandSyntax[] {
  if (!sl && !tp) return []
  return [commandOf('stopOrTakeProfit', sl ?? tp ?? at, { amount: wordAt('100%p', sl ?? tp ?? at), sl, tp })]
}

/** Cancels every open order. */
export function cancelAll(at: Range): CommandSyntax {
  return commandOf('cancel', at, {})
}
