import { useSyncExternalStore } from 'react'
import { momentText } from '../shared/moment-text.ts'
import { relativeTimeText } from '../shared/relative-time.ts'
import { useZone } from '../shared/zone.ts'

const tickMs = 30_000

interface RelativeTimeProps {
  instant: string
  /** Shows day and time beside it, where there is room; the list says by whose clock. */
  isDated?: boolean
}

/** The time since an instant, with the exact instant behind it. */
export function RelativeTime({ instant, isDated = false }: RelativeTimeProps) {
  const now = useSyncExternalStore(subscribe, currentTick)
  const { day, time } = momentText(instant, useZone())
  return (
    <time dateTime={instant} title={instant}>
      {relativeTimeText(instant, now)}
      {isDated && ` (${day} ${time.slice(0, 5)})`}
    </time>
  )
}

// One clock for all of them, so that a table does not tick in many places at once.
function subscribe(tick: () => void): () => void {
  const timer = setInterval(tick, tickMs)
  return () => clearInterval(timer)
}

// Between two ticks the answer must stay the same, or React would draw without end.
function currentTick(): number {
  return Math.ceil(Date.now() / tickMs) * tickMs
}
