import { Tag } from 'antd'
import { useMemo, useState } from 'react'
import type { LivePhase } from '../../shared/live/follow-events.ts'
import { useLiveEvents, useLiveLines, useLiveState } from '../../shared/live/use-live.ts'
import { reconnectingText, texts } from '../../shared/texts.ts'
import { useZone } from '../../shared/zone.ts'
import { Panel } from '../../ui/panel.tsx'
import { ZoneName } from '../../ui/zone-name.tsx'
import { type LogFilter, logEntries, logText } from './log-entries.ts'
import { LogLines } from './log-lines.tsx'
import { LogActs, LogFilterBar } from './log-toolbar.tsx'
import { logTexts } from './texts.ts'
import { usePausableLines } from './use-pausable-lines.ts'

const everything: LogFilter = { hidden: new Set(), text: '' }

/** The events of the person's alerts, as they happen. */
export function LiveLog() {
  const lines = useLiveLines()
  const pausable = usePausableLines(lines)
  const [filter, setFilter] = useState(everything)
  const [wraps, setWraps] = useState(true)
  const zone = useZone()
  const { shown } = pausable
  const entries = useMemo(() => logEntries(shown, filter), [shown, filter])
  return (
    <Panel
      title={texts.log.heading}
      actions={
        <>
          <LogHead count={lines.length} />
          <LogActs pausable={pausable} wraps={wraps} onWrap={setWraps} text={logText(entries, zone)} />
        </>
      }
    >
      <LogFilterBar filter={filter} onFilter={setFilter} />
      <LogLines entries={entries} pausable={pausable} wraps={wraps} />
      <NewestError />
    </Panel>
  )
}

function LogHead({ count }: { count: number }) {
  return (
    <>
      <span className="quiet small log-count">{logTexts.count(count)}</span>
      <ZoneName />
      <StreamBadge state={useLiveState()} />
    </>
  )
}

function StreamBadge({ state }: { state: LivePhase }) {
  return (
    <Tag
      role="status"
      color={{ live: 'success', reconnecting: 'warning' }[state.phase as string] ?? 'default'}
    >
      {badgeText(state)}
    </Tag>
  )
}

function badgeText(state: LivePhase): string {
  if (state.phase === 'reconnecting') return reconnectingText(state.attempt)
  return texts.log[state.phase]
}

/** The newest error, for screen readers only: everything else would be too much to be read out. */
function NewestError() {
  const [message, setMessage] = useState('')
  useLiveEvents((events) => {
    const newest = events.findLast(({ type }) => type === 'error')
    if (newest) setMessage(logTexts.failed(newest.message))
  })
  return (
    <p className="visually-hidden" role="status">
      {message}
    </p>
  )
}
