import { compareTyped } from './registration.ts'

interface MatchHintProps {
  first: string
  second: string
  words: { match: string; mismatch: string }
}

/** Whether a text was typed twice alike, as far as that can be said yet. */
export function MatchHint({ first, second, words }: MatchHintProps) {
  const comparison = compareTyped(first, second)
  if (comparison === undefined) return null
  return (
    <span className={`match-hint match-hint-${comparison}`}>
      <span aria-hidden="true">{comparison === 'match' ? '✓' : '≠'}</span> {words[comparison]}
    </span>
  )
}
