/** A page with what belongs at its `__NAME__` places, which the build leaves; safe in text and in attributes. */
export function filledPage(page: string, words: Readonly<Record<string, string>>): string {
  return page.replaceAll(/__([A-Z_]+?)__/g, (place, name: string) => {
    const word = words[name]
    return word === undefined ? place : escaped(word)
  })
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;')
}
