import DownloadOutlined from '@ant-design/icons/DownloadOutlined'
import { Button } from 'antd'
import { useState } from 'react'
import { authorizedFetch } from '../../shared/authorized-fetch.ts'
import { expireSession } from '../../shared/end-session.ts'
import { failureOf, failureText } from '../../shared/failure.ts'
import { choosePalette, usePalette } from '../../shared/palette.ts'
import { saveAs } from '../../shared/save-as.ts'
import { useZone } from '../../shared/zone.ts'
import { useToast } from '../../ui/toast.ts'
import { ZoneName } from '../../ui/zone-name.tsx'
import { areAllOpen } from './all-open.ts'
import type { Shown } from './arrivals.ts'
import { exportQuery } from './execution-query.ts'
import { texts } from './texts.ts'
import { useFilters } from './use-filters.ts'

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
        <span className="quiet small">{texts.noLooks}</span>
      ) : (
        <span className={isPolling ? 'quiet small dot is-live' : 'quiet small'}>
          {isPolling ? texts.live : texts.notLive}
        </span>
      )}
      <ZoneName />
      <span className="panel-space" />
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
    <label className="colour-blind small">
      <input
        type="checkbox"
        checked={palette === 'colour-blind'}
        onChange={({ target }) => choosePalette(target.checked ? 'colour-blind' : 'usual')}
      />
      {texts.colourBlind}
    </label>
  )
}

const formats = ['csv', 'json'] as const
type Format = (typeof formats)[number]

/** Downloads everything that the filters choose. */
function ExportButtons() {
  const { filter, sort } = useFilters()
  const zone = useZone()
  const toast = useToast()
  const [busy, setBusy] = useState<Format>()
  async function save(format: Format) {
    setBusy(format)
    const { file, failure } = await exported(
      exportQuery(format, filter, sort, { nowMs: Date.now(), zone }),
    ).catch(notAnswered)
    if (file) saveAs(file, `executions.${format}`)
    else toast.error({ title: texts.export.failure, description: failureText(failure) })
    setBusy(undefined)
  }
  return formats.map((format) => (
    <Button
      key={format}
      size="small"
      icon={<DownloadOutlined spin={busy === format} aria-hidden="true" />}
      disabled={busy !== undefined}
      onClick={() => void save(format)}
    >
      {texts.export[format]}
    </Button>
  ))
}

interface Exported {
  file?: Blob
  failure?: unknown
}

const notAnswered = (failure: unknown): Exported => ({ failure })

async function exported(query: URLSearchParams): Promise<Exported> {
  const answer = await authorizedFetch(new Request(`/api/webhook-executions/export?${query}`))
  if (answer.status === 401 || answer.status === 403) expireSession()
  return answer.ok ? { file: await answer.blob() } : { failure: await failureOf(answer) }
}
