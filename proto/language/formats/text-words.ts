import type { Word } from '../syntax.ts'

/** The stretches of a text between these separators, without blanks around them. */
export function stretchesOf(text: string, separator: RegExp): Word[] {
  const stretches: Word[] = []
  let start = 0
  for (const match of text.matchAll(separator)) {
    stretches.push(trimmed(text, start, match.index))
    start = match.index + match[0].length
  }
  stretches.push(trimmed(text, start, text.length))
  return stretches.filter((stretch) => stretch.text !== '')
}

/** The words of a stretch. */
export function wordsOf({ text, start }: Word): Word[] {
  return [...text.matchAll(/\S+/g)].map(({ 0: word, index }) => ({
    text: word,
    start: start + index,
    end: start + index + word.length,
  }))
}

function trimmed(text: string, from: number, to: number): Word {
  const stretch = text.slice(from, to)
  const start = from + stretch.length - stretch.trimStart().length
  return { text: stretch.trim(), start, end: start + stretch.trim().length }
}
