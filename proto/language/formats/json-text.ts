import type { Range } from '../problem.ts'
import { makeReadable, type ReadableText } from '../readable-text.ts'
import { escapePattern, unescaped } from './json.ts'

/** Returns the content of a JSON text, as a message of its own whose offsets are those of the JSON. */
export function readableWithin(json: ReadableText, { start, end }: Range): ReadableText {
  const { text, origins } = unescapeWithin(json.text, start, end)
  const { text: inner, origins: innerOrigins } = makeReadable(text)
  const places = new Uint32Array(inner.length)
  for (let at = 0; at < inner.length; at++) {
    const place = origins[innerOrigins?.[at] ?? at] ?? start
    places[at] = json.origins?.[place] ?? place
  }
  return { original: json.original, text: inner, origins: places }
}

function unescapeWithin(json: string, start: number, end: number): { text: string; origins: Uint32Array } {
  const origins = new Uint32Array(end - start)
  let text = ''
  let at = start
  const take = (said: string, length: number): void => {
    for (let index = 0; index < said.length; index++)
      origins[text.length + index] = at + (length > 1 ? 0 : index)
    text += said
    at += length
  }
  for (const match of json.slice(start, end).matchAll(escapePattern)) {
    while (at < start + match.index) take(json.charAt(at), 1)
    take(unescaped(match[0]), match[0].length)
  }
  while (at < end) take(json.charAt(at), 1)
  return { text, origins }
}
