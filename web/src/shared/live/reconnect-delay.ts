const firstDelayMs = 1000
const longestDelayMs = 30_000

/** Returns the wait before this attempt to reconnect, counted from 1: a second, doubled each time, at most 30. */
export function reconnectDelayMs(attempt: number): number {
  return Math.min(firstDelayMs * 2 ** (attempt - 1), longestDelayMs)
}
