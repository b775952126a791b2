import { memo } from 'react'
import { utcTimeText, wholeDurationText } from '../shared/format.ts'
import type { ActivityLine } from './activity-lines.ts'

const glyphs: Record<string, string> = {
  webhook: '⇢',
  client_pool: '≈',
  command: '▸',
  exchange: '⇄',
  oco: '⊕',
  error: '✕',
  connected: '●',
}

/** One event: when, of what kind, what it says, and how long it took. */
export const ActivityRow = memo(({ line: { event } }: { line: ActivityLine }) => {
  const { timestamp, type, message, details } = event
  const tookMs = details?.execution_time_ms
  return (
    <li className={`event event-${type}`} data-outcome={details?.outcome}>
      <time dateTime={timestamp}>{utcTimeText(timestamp)}</time>
      <span className="event-glyph" aria-hidden="true">
        {glyphs[type] ?? '·'}
      </span>
      <span className="event-message">{message}</span>
      {tookMs !== undefined && <span className="event-took">{wholeDurationText(tookMs)}</span>}
    </li>
  )
})
