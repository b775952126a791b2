import { Button } from 'antd'
import { choosePalette, usePalette } from '../../shared/palette.ts'
import { ZoneName } from '../../ui/zone-name.tsx'
import { areAllOpen } from './all-open.ts'
import type { Shown } from './arrivals.ts'
import { ExportButtons } from './export-buttons.tsx'
import { texts } from './texts.ts'

interface ListHeadProps {
  shown: Shown | undefined
  openIds: ReadonlySet<string>
  isPolling: boolean
  /** The last look failed. */
  isFailed: boolean
  onToggleAll: () => void
}

/** The head above the rows: their number, whether they are live, and the actions on all of them. */
export function ListHead({ shown, openIds, isPolling, isFailed, onToggleAll }: ListHeadProps) {
  const isAllOpen = areAllOpen(shown?.executions ?? [], openIds)
  return (
    <div className="list-head">
      <span className="quiet">{shown && texts.total(shown.total)}</span>
      {isFailed ? (
        <span className="live-badge">{texts.noLooks}</span>
      ) : (
        <span className={isPolling ? 'live-badge is-live' : 'live-badge'}>
          {isPolling ? texts.live : texts.notLive}
        </span>
      )}
      <ZoneName />
      <span className="list-head-space" />
      <ColourBlindSwitch />
      <Button size="small" disabled={!shown?.executions.length} onClick={onToggleAll} title={texts.keys}>
        {isAllOpen ? texts.collapseAll : texts.expandAll}
      </Button>
      <ExportButtons />
    </div>
  )
}

function ColourBlindSwitch() {
  const palette = usePalette()
  return (
    <label className="colour-blind">
      <input
        type="checkbox"
        checked={palette === 'colour-blind'}
        onChange={({ target }) => choosePalette(target.checked ? 'colour-blind' : 'usual')}
      />
      {texts.colourBlind}
    </label>
  )
}
