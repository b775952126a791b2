import type { LiveEvent } from '@tripline/proto/live-event'

/** One line of the live log; the number tells lines apart. */
export interface LogLine {
  number: number
  event: LiveEvent
}

const keptLines = 200

/** The lines with these events behind them, as many of the newest as the log shows. */
export function keepNewest(lines: readonly LogLine[], events: readonly LiveEvent[]): LogLine[] {
  const next = (lines.at(-1)?.number ?? 0) + 1
  const added = events.map((event, index) => ({ number: next + index, event }))
  return [...lines, ...added].slice(-keptLines)
}
