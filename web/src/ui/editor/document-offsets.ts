/** The way between offsets of a message and positions of an editor's document, in which every line ends with one character. */
export interface DocumentOffsets {
  /** The position of an offset of the message. */
  toDocument: (offset: number) => number
  /** The offset of a position of the document. */
  toMessage: (position: number) => number
}

/** The places of this message, whose lines may end with CR, LF or both. */
export function documentOffsets(message: string): DocumentOffsets {
  const breaks = [...message.matchAll(/\r\n/g)].map(({ index }) => index)
  if (breaks.length === 0) return { toDocument: (offset) => offset, toMessage: (position) => position }
  const shortened = breaks.map((offset, index) => offset - index)
  return {
    toDocument: (offset) => offset - countBelow(breaks, offset),
    toMessage: (position) => position + countBelow(shortened, position),
  }
}

/** The text as an editor's document has it. */
export function documentText(message: string): string {
  return message.replaceAll(/\r\n?/g, '\n')
}

/** Returns the count of these numbers, which ascend, that are below the limit. */
function countBelow(ascending: readonly number[], limit: number): number {
  let [low, high] = [0, ascending.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((ascending[middle] ?? limit) < limit) low = middle + 1
    else high = middle
  }
  return low
}
