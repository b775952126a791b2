import type { Note } from './note.ts'

/** Telegram's limit is 4096 characters once the markup is read; the markup itself counts here too. */
const longestMessage = 4000

type Line = Pick<Note, 'id' | 'html'>

/**
 * Returns the first notes that fit into one message, at least one, as its text; the number of those left out before
 * stands on top.
 */
export function groupNotes(
  notes: readonly Line[],
  leftOut: number,
): { html: string; ids: string[] } | undefined {
  const [first, ...others] = notes
  if (first === undefined) return undefined
  const top = leftOut > 0 ? `… ${leftOut} earlier messages were left out\n` : ''
  const group = { html: top + first.html, ids: [first.id] }
  for (const { id, html } of others) {
    if (group.html.length + html.length + 1 > longestMessage) break
    group.html += `\n${html}`
    group.ids.push(id)
  }
  return group
}
