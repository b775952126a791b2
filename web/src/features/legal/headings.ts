/** A heading of a document, and the anchor that leads to it. */
export interface Heading {
  text: string
  anchor: string
}

/** The second-level headings of a markdown text, in order. */
export function headingsOf(markdown: string): Heading[] {
  return [...markdown.matchAll(/^## (.+)$/gm)].map(([, text = '']) => ({ text, anchor: anchorOf(text) }))
}

/** The anchor of a heading: its letters and digits, joined by hyphens. */
export function anchorOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
}
