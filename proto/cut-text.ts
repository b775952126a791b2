/** The most that is stored of the text of a refused alert. */
const refusedBytes = 1024

/** The text where it fits into so many bytes as it is stored, as JSON; else its beginning, and a mark that it was cut. */
export function cutText(text: string, mostBytes: number): string {
  let bytes = 0
  let length = 0
  for (const character of text) {
    bytes += storedBytes(character)
    if (bytes > mostBytes) return `${text.slice(0, length)} ... [cut: ${length} of ${text.length} characters]`
    length += character.length
  }
  return text
}

/** Returns the bytes of a character in UTF-8, as JSON writes it. */
function storedBytes(character: string): number {
  const point = character.codePointAt(0) ?? 0
  const isEscaped = point < 0x80 || (point >= 0xd800 && point <= 0xdfff)
  if (isEscaped) return JSON.stringify(character).length - 2
  if (point < 0x800) return 2
  return point < 0x10000 ? 3 : 4
}

/** Cuts the texts of a refused alert to what is stored: message and body share the bytes where both are there. */
export function refusedTexts({ message, body }: { message: string; body?: string }): {
  message: string
  body?: string
} {
  if (body === undefined) return { message: cutText(message, refusedBytes) }
  return { message: cutText(message, refusedBytes / 2), body: cutText(body, refusedBytes / 2) }
}
