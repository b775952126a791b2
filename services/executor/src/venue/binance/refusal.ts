import type { VenueRefusal } from '../http/refusal.ts'

// The code may come as text, and anything between it and the words.
const codeInMessage = /"code"\s*:\s*"?(-?\d+)/
const textInMessage = /"msg"\s*:\s*"((?:[^"\\]|\\.)*)"/

/** Returns the venue's refusal in the body of an answer. */
export function readRefusal(status: number, body: string): VenueRefusal {
  const code = codeInMessage.exec(body)?.[1]
  if (code === undefined) return { status, code: 0, text: `answered with status ${status}` }
  return { status, code: Number(code), text: textInMessage.exec(body)?.[1] ?? 'no word' }
}
