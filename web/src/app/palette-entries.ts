import type { texts } from '../shared/texts.ts'

/** Something that the palette can do. */
export interface PaletteEntry {
  id: string
  group: keyof typeof texts.palette.groups
  title: string
  run: () => void
}

const shownEntries = 12

/** The entries that a search finds: every word somewhere in the title, those that begin with the search first. */
export function searchEntries<Entry extends Pick<PaletteEntry, 'title'>>(
  entries: readonly Entry[],
  search: string,
): Entry[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  const found = entries.filter(({ title }) => words.every((word) => title.toLowerCase().includes(word)))
  const first = words[0] ?? ''
  const rank = ({ title }: Entry) => (startsWord(title, first) ? 0 : 1)
  return found.toSorted((a, b) => rank(a) - rank(b)).slice(0, shownEntries)
}

function startsWord(title: string, word: string): boolean {
  return title
    .toLowerCase()
    .split(/\s+/)
    .some((part) => part.startsWith(word))
}
