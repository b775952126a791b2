/** The age that a request may have when it names none, and the most that it may name, in milliseconds. */
export const DEFAULT_RECEIVE_WINDOW_MS = 5_000
export const MAX_RECEIVE_WINDOW_MS = 60_000

const FUTURE_LIMIT_MS = 1_000

/** Whether a request made at `timestamp` may still be taken at `now`. */
export function judgeReceiveWindow(
  timestamp: number,
  windowMs: number,
  now: number,
): 'inside' | 'tooOld' | 'ahead' {
  if (timestamp >= now + FUTURE_LIMIT_MS) return 'ahead'
  return now - timestamp <= windowMs ? 'inside' : 'tooOld'
}
