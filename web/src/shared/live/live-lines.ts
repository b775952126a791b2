import type { LiveEvent } from '@tripline/proto/live-event'

/** One event that came, with the number that identifies it, and when it came, by the browser's clock, in ms. */
export interface LiveLine {
  number: number
  event: LiveEvent
  cameAt: number
}

// As many as the server replays, too.
const mostLines = 200

/** The lines with these events behind them, as many of the newest as are shown. */
export function keepNewest(
  lines: readonly LiveLine[],
  events: readonly LiveEvent[],
  cameAt: number,
): LiveLine[] {
  const next = (lines.at(-1)?.number ?? 0) + 1
  const added = events.map((event, index) => ({ number: next + index, event, cameAt }))
  return [...lines, ...added].slice(-mostLines)
}
