// Some of the venue's ids are beyond what a number can hold.
const longInteger = /":\s*(-?\d{16,})(?=[,}\]])/g

/** The value of a JSON text; whole numbers too long for a number come as texts. */
export function parseJson(text: string): unknown {
  return JSON.parse(text.replace(longInteger, '":"$1"'))
}
