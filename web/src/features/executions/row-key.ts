/**
 * The action of a key of the list: the next row or the one before, all of them, or a copy of the one that has the
 * focus.
 */
export type RowAction = 'next' | 'before' | 'all' | 'copy'

interface PressedKey {
  key: string
  /** Whether the key before it was `g`, which makes this one name a screen. */
  isGoing: boolean
  /** Whether a row has the focus; arrows scroll the page as ever without. */
  isInRow: boolean
}

const letters: Record<string, RowAction> = { j: 'next', k: 'before', e: 'all', c: 'copy' }
const arrows: Record<string, RowAction> = { ArrowDown: 'next', ArrowUp: 'before' }

/** Returns the action of a key; undefined if it is no key of the list. */
export function rowActionOf({ key, isGoing, isInRow }: PressedKey): RowAction | undefined {
  return (isGoing ? undefined : letters[key]) ?? (isInRow ? arrows[key] : undefined)
}

/** Whether the next key names a screen. */
export function isGoingAfter(key: string, isGoing: boolean): boolean {
  // Held before the key that it changes, Shift is a key of its own.
  return key === 'g' || (isGoing && key === 'Shift')
}
