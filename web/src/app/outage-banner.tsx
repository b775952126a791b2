import { useSyncExternalStore } from 'react'
import { useLiveState } from '../shared/live/use-live.ts'
import { texts } from '../shared/texts.ts'
import { Banner } from './banner.tsx'

// One lost connection is mended within a second; after the second try people should know.
const shownFromAttempt = 2

/** Says across every screen that the browser or the server is away. */
export function OutageBanner() {
  const isOnline = useSyncExternalStore(subscribe, () => navigator.onLine)
  const live = useLiveState()
  const isUnreachable = live.phase === 'reconnecting' && live.attempt >= shownFromAttempt
  const said = !isOnline ? texts.outage.offline : isUnreachable ? texts.outage.unreachable : undefined
  return <div role="status">{said && <Banner tone="error" glyph="⚠" text={said} />}</div>
}

function subscribe(changed: () => void): () => void {
  window.addEventListener('online', changed)
  window.addEventListener('offline', changed)
  return () => {
    window.removeEventListener('online', changed)
    window.removeEventListener('offline', changed)
  }
}
