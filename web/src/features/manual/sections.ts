/** A part of the manual: what stands between two headings. */
export interface Section {
  title: string
  anchor: string
  /** 2 for a chapter, 3 for what is within one, as in the headings of the text. */
  level: 2 | 3
  /** Markdown without the heading. */
  text: string
}

/** Takes the manual apart at its headings; the first section is what stands before them, under a title of its own. */
export function readManual(markdown: string, firstTitle: string): Section[] {
  return markdown
    .replace(/^# .*\n/, `## ${firstTitle}\n`)
    .replaceAll(/^<!-- .* -->\n/gm, '')
    .split(/^(?=#{2,3} )/m)
    .map(readSection)
}

/** The sections that have every word of a search; of a table that has them in some rows only those rows are left. */
export function searchSections(sections: readonly Section[], search: string): Section[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return [...sections]
  const has = (text: string) => words.every((word) => text.toLowerCase().includes(word))
  return sections
    .filter(({ title, text }) => has(`${title}\n${text}`))
    .map((section) => ({ ...section, text: matchingRows(section.text, has) }))
}

function readSection(part: string): Section {
  const [, marks = '', title = ''] = /^(#{2,3}) (.+)$/m.exec(part) ?? []
  return {
    title,
    anchor: anchorOf(title),
    level: marks === '###' ? 3 : 2,
    text: part.slice(part.indexOf('\n') + 1),
  }
}

function anchorOf(title: string): string {
  return title
    .replaceAll(/[^A-Za-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .replace(/^[A-Z](?=[a-z])/, (first) => first.toLowerCase())
}

// A table is its head, the line below it, and its rows.
function matchingRows(text: string, has: (row: string) => boolean): string {
  return text.replaceAll(
    /^(\|.*\n\|(?: ?-+ ?\|)+\n)((?:\|.*(?:\n|$))+)/gm,
    (table, head: string, body: string) => {
      const rows = body.split('\n').filter(has)
      return rows.length === 0 ? table : `${head}${rows.join('\n')}\n`
    },
  )
}
