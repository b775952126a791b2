const space = 0x20
const tab = 0x09
const verticalTab = 0x0b
const formFeed = 0x0c
const lineFeed = 0x0a
const carriageReturn = 0x0d
const hash = 0x23
const slash = 0x2f
const star = 0x2a

/** Whether the code unit ends a line. */
export function isNewline(code: number): boolean {
  return code === lineFeed || code === carriageReturn
}

/** Whether the code unit is white space within a line. */
export function isBlank(code: number): boolean {
  return code === space || code === tab || code === verticalTab || code === formFeed
}

/** Whether a comment starts here: `#`, `//` or `/*`, at the start or after a blank or one of `;{}(),`. */
export function startsComment(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  if (code !== hash && code !== slash) return false
  // Elsewhere they belong to a value, as in `tag=#1` or an address.
  if (at > 0 && !' \t\v\f\n\r;{}(),'.includes(text.charAt(at - 1))) return false
  const next = text.charCodeAt(at + 1)
  return code === hash || next === slash || next === star
}

/** Returns the end of the comment that starts here: before its line's end, or after its close. */
export function commentEnd(text: string, at: number): number {
  const isBlock = text.charCodeAt(at + 1) === star && text.charCodeAt(at) === slash
  return isBlock ? blockCommentEnd(text, at) : lineEnd(text, at)
}

function lineEnd(text: string, from: number): number {
  let at = from
  while (at < text.length && !isNewline(text.charCodeAt(at))) at++
  return at
}

function blockCommentEnd(text: string, at: number): number {
  const close = text.indexOf('*/', at + 2)
  return close < 0 ? text.length : close + 2
}

// Longer ones are no placeholders of any charting platform; the bound keeps reading linear.
const placeholderLimit = 200

/** Returns the end of the placeholder that opens here with `{{`, or undefined if its line has no `}}` for it. */
export function placeholderEnd(text: string, open: number): number | undefined {
  const limit = Math.min(text.length - 1, open + placeholderLimit)
  for (let at = open + 2; at < limit; at++) {
    if (isNewline(text.charCodeAt(at)) || text.charAt(at) === '{') return undefined
    if (text.startsWith('}}', at)) return at + 2
  }
  return undefined
}
