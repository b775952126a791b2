import { escapeHtml } from '@tripline/proto/escape-html'

/** A page with what belongs at its `__NAME__` places, which the build leaves; safe in text and in attributes. */
export function filledPage(page: string, words: Readonly<Record<string, string>>): string {
  return page.replaceAll(/__([A-Z_]+?)__/g, (placeholder, name: string) => {
    const word = words[name]
    return word === undefined ? placeholder : escapeHtml(word)
  })
}
