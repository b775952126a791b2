// A ULID begins with its millisecond, in ten characters of this alphabet.
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const momentLength = 10

// The history may be a little behind, and the clocks of two machines differ.
const youngMs = 30_000

/** Whether an execution is so young that the history may not have it yet. */
export function isYoung(id: string, nowMs: number): boolean {
  const moment = momentOf(id)
  return moment !== undefined && Math.abs(nowMs - moment) < youngMs
}

function momentOf(id: string): number | undefined {
  const digits = [...id.slice(0, momentLength).toUpperCase()].map((character) => alphabet.indexOf(character))
  if (digits.length < momentLength || digits.includes(-1)) return undefined
  return digits.reduce((moment, digit) => moment * alphabet.length + digit, 0)
}
