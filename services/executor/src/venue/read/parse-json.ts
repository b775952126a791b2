// A number in a JSON text with more digits than a double holds: many ids of venues have 19.
const longNumber = /[:[,]\s*-?\d[\d.]{15}/
const mostDigits = 15
// Texts are matched whole, so that no digits in them are taken for a number.
const textOrNumber = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]{15,}/g
const mayBeLong = /([:[,]\s*)(-?\d[\d.eE+-]{15,})/g

/**
 * Returns the value of a JSON text. A number that a double would round comes as the text that was sent, and only that
 * one: its neighbours stay numbers.
 */
export function parseJson(text: string): unknown {
  return JSON.parse(longNumber.test(text) ? quoteLongNumbers(text) : text)
}

/** Looks at long numbers alone, and counts the quotes before them: a third of what matching each text takes. */
function quoteLongNumbers(text: string): string {
  if (text.includes('\\')) return text.replace(textOrNumber, quoteLong)
  let isInText = false
  let counted = 0
  const countTo = (end: number): void => {
    for (let at = text.indexOf('"', counted); at >= 0 && at < end; at = text.indexOf('"', at + 1)) {
      isInText = !isInText
    }
    counted = end
  }
  return text.replace(mayBeLong, (found: string, before: string, number: string, at: number) => {
    countTo(at)
    return isInText ? found : before + quoteLong(number)
  })
}

/** Reads the body of an answer for a library client, whose own parser changes numbers; undefined where it is no JSON. */
export function parseBody(text: string): unknown {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}

/** Quotes a number that a double would round; a text stays as it is. */
function quoteLong(found: string): string {
  if (found.startsWith('"') || isExact(found)) return found
  return found.replace(/[-.]/g, '').length > mostDigits ? `"${found}"` : found
}

/** True for a whole number that a double holds; a fraction may come to be one only by being rounded. */
function isExact(found: string): boolean {
  return !/\.\d*[1-9]/.test(found) && Number.isSafeInteger(Number(found))
}
