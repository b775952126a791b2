import { z } from 'zod'

/** The last alerts of a lane that were accepted. */
export const Accepted = z.object({
  /** When the last one was received, and its body. */
  at: z.number(),
  body: z.string(),
  /** When the last one with any other body was received; 0 where there was none. */
  otherAt: z.number(),
})
export type Accepted = z.infer<typeof Accepted>

/** Returns what is known of a lane once one more of its alerts was accepted. */
export function withAccepted(known: Accepted | undefined, body: string, at: number): Accepted {
  if (known === undefined) return { at, body, otherAt: 0 }
  if (at >= known.at) return known.body === body ? { ...known, at } : { at, body, otherAt: known.at }
  return known.body === body || at < known.otherAt ? known : { ...known, otherAt: at }
}

/** When the last alert with another body than this one was received; 0 where there was none. */
export function lastOther(known: Accepted | undefined, body: string): number {
  if (known === undefined) return 0
  return known.body === body ? known.otherAt : known.at
}
