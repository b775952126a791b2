// A number in a JSON text with more digits than a double keeps: many ids of venues have 19.
const longNumber = /[:[,]\s*-?\d[\d.]{15}/
const mostDigits = 15

/**
 * Returns the value of a JSON text. A number that a double would round comes as the text that was sent, and only that
 * one: its neighbours stay numbers.
 */
export function parseJson(text: string): unknown {
  if (!longNumber.test(text)) return JSON.parse(text)
  // The types of the language do not know the third argument yet.
  return JSON.parse(text, keepDigits as (key: string, value: unknown) => unknown)
}

/** Reads the body of an answer for a library client, whose own parser changes numbers; undefined where it is no JSON. */
export function parseBody(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}

function keepDigits(_key: string, value: unknown, context?: { source?: string }): unknown {
  const source = context?.source
  if (typeof value !== 'number' || source === undefined || Number.isSafeInteger(value)) return value
  return source.replace(/[-.]/g, '').length > mostDigits ? source : value
}
