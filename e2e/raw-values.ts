import type { Page } from 'playwright-core'

// Runs in the page. People's own texts, code, and answers as JSON stay as they are.
const script = `(() => {
  const verbatim = 'code, pre, kbd, textarea, .cm-editor, .message-text, .json-tree, .manual, script, style'
  const raw = [
    /\\b\\d{13}(?:\\.\\d+)?\\b/g, // a moment in milliseconds
    /\\b\\d+\\.\\d{9,}\\b/g, // a float, or what an exchange calculated further than it has prices
    /(?<![\\w.,:/#@-])\\d{5,9}(?:\\.\\d+)?(?![\\w.,:/-]*\\w)/g, // thousands that nothing keeps apart
    /\\b[a-z]+_[a-z_]+\\b/g, // a name of the code
  ]
  const found = new Set()
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (node.parentElement.closest(verbatim) !== null || !node.parentElement.checkVisibility()) continue
    for (const form of raw) for (const [value] of node.data.matchAll(form)) found.add(value + ' in "' + node.data.trim().slice(0, 60) + '"')
  }
  return [...found]
})()`

/** Returns the machine-written values on a screen: floats, moments in milliseconds, numbers without separators, snake case. */
export async function rawValues(page: Page): Promise<string[]> {
  return await page.evaluate<string[]>(script)
}
