import { useSyncExternalStore } from 'react'
import { relativeTimeText } from '../shared/relative-time.ts'

const tickMs = 30_000

/** How long ago something was, with the exact instant behind it. */
export function RelativeTime({ instant }: { instant: string }) {
  const now = useSyncExternalStore(listen, currentTick)
  return (
    <time dateTime={instant} title={instant}>
      {relativeTimeText(instant, now)}
    </time>
  )
}

// One clock for all of them, so that a table does not tick in many places at once.
function listen(tick: () => void): () => void {
  const timer = setInterval(tick, tickMs)
  return () => clearInterval(timer)
}

// Between two ticks the answer must stay the same, or React would draw without end.
function currentTick(): number {
  return Math.ceil(Date.now() / tickMs) * tickMs
}
