import { compareTyped } from './registration.ts'

/** Whether a text was typed twice alike, as far as that can be said yet. */
export function matchHint(first: string, second: string, words: { match: string; mismatch: string }) {
  const comparison = compareTyped(first, second)
  if (comparison === undefined) return undefined
  return (
    <span className={`match-hint match-hint-${comparison}`}>
      <span aria-hidden="true">{comparison === 'match' ? '✓' : '≠'}</span> {words[comparison]}
    </span>
  )
}
