import { useLayoutEffect, useRef, useState } from 'react'
import type { LiveState } from '../../shared/live/follow-events.ts'
import type { LiveLine } from '../../shared/live/live-lines.ts'
import { useLiveLines, useLiveState } from '../../shared/live/use-live.ts'
import { reconnectingText, texts } from '../../shared/texts.ts'
import { Panel } from '../../ui/panel.tsx'
import { LiveLogRow } from './live-log-row.tsx'
import { useSettledResponses } from './use-settled-responses.ts'

// Within this distance of its end the log counts as being read there.
const endPx = 10

/** What happens to the person's alerts, as it happens. */
export function LiveLog() {
  const lines = useLiveLines()
  const state = useLiveState()
  useSettledResponses()
  return (
    <Panel title={texts.log.heading} count={lines.length} actions={<StreamBadge state={state} />}>
      <LogLines lines={lines} />
    </Panel>
  )
}

function StreamBadge({ state }: { state: LiveState }) {
  return (
    <span className={`stream-badge stream-${state.phase}`} role="status">
      {badgeText(state)}
    </span>
  )
}

function badgeText(state: LiveState): string {
  if (state.phase === 'reconnecting') return reconnectingText(state.attempt)
  return texts.log[state.phase]
}

function LogLines({ lines }: { lines: readonly LiveLine[] }) {
  const box = useRef<HTMLDivElement>(null)
  const [isFollowing, setFollowing] = useState(true)
  // biome-ignore lint/correctness/useExhaustiveDependencies: it scrolls whenever the lines change.
  useLayoutEffect(() => {
    if (isFollowing) box.current?.scrollTo({ top: box.current.scrollHeight })
  }, [lines, isFollowing])

  function onScroll() {
    const { scrollHeight, scrollTop, clientHeight } = box.current ?? document.body
    setFollowing(scrollHeight - scrollTop - clientHeight <= endPx)
  }
  return (
    <div className="live-log">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <div ref={box} className="log-lines" role="log" aria-live="off" tabIndex={0} onScroll={onScroll}>
        {lines.length === 0 && <p className="quiet">{texts.log.empty}</p>}
        {lines.map(({ number, event }) => (
          <LiveLogRow key={number} event={event} />
        ))}
      </div>
      {!isFollowing && (
        <button type="button" className="log-jump" onClick={() => setFollowing(true)}>
          {texts.log.jump}
        </button>
      )}
    </div>
  )
}
