import AlertOutlined from '@ant-design/icons/AlertOutlined'
import ApiOutlined from '@ant-design/icons/ApiOutlined'
import BranchesOutlined from '@ant-design/icons/BranchesOutlined'
import CheckCircleOutlined from '@ant-design/icons/CheckCircleOutlined'
import ClockCircleOutlined from '@ant-design/icons/ClockCircleOutlined'
import CloseCircleOutlined from '@ant-design/icons/CloseCircleOutlined'
import ClusterOutlined from '@ant-design/icons/ClusterOutlined'
import CodeOutlined from '@ant-design/icons/CodeOutlined'
import DollarOutlined from '@ant-design/icons/DollarOutlined'
import HeartOutlined from '@ant-design/icons/HeartOutlined'
import HistoryOutlined from '@ant-design/icons/HistoryOutlined'
import LinkOutlined from '@ant-design/icons/LinkOutlined'
import PlayCircleOutlined from '@ant-design/icons/PlayCircleOutlined'
import QuestionCircleOutlined from '@ant-design/icons/QuestionCircleOutlined'
import RightOutlined from '@ant-design/icons/RightOutlined'
import SwapOutlined from '@ant-design/icons/SwapOutlined'
import { type MouseEvent, memo } from 'react'
import { Link, useNavigate } from 'react-router-dom'
import { durationText } from '../../shared/format.ts'
import { timeText } from '../../shared/moment-text.ts'
import { executionPath } from '../../shared/paths.ts'
import { useZone } from '../../shared/zone.ts'
import { botOf, type LogEntry, messageOf } from './log-entries.ts'
import { type LogLook, logLookOf } from './log-look.ts'
import { logTexts } from './texts.ts'

const icons = {
  webhook: ApiOutlined,
  client_pool: ClusterOutlined,
  keepalive: HeartOutlined,
  command: CodeOutlined,
  start: PlayCircleOutlined,
  success: CheckCircleOutlined,
  waiting: ClockCircleOutlined,
  amended: HistoryOutlined,
  exchange: SwapOutlined,
  filled: DollarOutlined,
  oco: BranchesOutlined,
  error: CloseCircleOutlined,
  unknown: QuestionCircleOutlined,
  alarm: AlertOutlined,
  connected: LinkOutlined,
} satisfies Record<LogLook, unknown>

interface LiveLogRowProps extends Omit<LogEntry, 'number' | 'cameAt'> {
  /** Whether the keyboard comes into the log here. */
  isEntrance: boolean
}

/** One line of the live log; one that belongs to an execution opens it in the history. */
export const LiveLogRow = memo(function LiveLogRow({ event, count, isEntrance }: LiveLogRowProps) {
  const look = logLookOf(event)
  const Icon = icons[look]
  const executionId = event.details?.execution_id
  const label = botOf(event)
  const open = useOpening(executionId)
  const zone = useZone()
  const durationMs = event.details?.execution_time_ms ?? event.details?.duration_ms
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the link in it does the same by keyboard.
    // biome-ignore lint/a11y/useKeyWithClickEvents: the link in it does the same by keyboard.
    <div className={`log-line log-${look} ${executionId ? 'log-opens' : ''}`} onClick={open}>
      <time dateTime={event.timestamp} title={event.timestamp}>
        {timeText(event.timestamp, zone)}
      </time>
      <Icon aria-hidden="true" />
      {label !== undefined && <span className="log-bot">{label}</span>}
      <span className="log-message">{messageOf(event)}</span>
      {count > 1 && <span className="panel-count log-times">{logTexts.times(count)}</span>}
      {durationMs !== undefined && <span className="duration">{durationText(durationMs)}</span>}
      {executionId && (
        <Link
          className="log-link"
          to={executionPath(executionId)}
          tabIndex={isEntrance ? 0 : -1}
          aria-label={logTexts.open}
          title={logTexts.open}
        >
          <RightOutlined aria-hidden="true" />
        </Link>
      )}
    </div>
  )
})

/** Opens the execution, unless the click only ends the selecting of text. */
function useOpening(executionId: string | undefined): (event: MouseEvent) => void {
  const navigate = useNavigate()
  return ({ target }) => {
    const isLink = target instanceof Element && target.closest('a') !== null
    if (executionId === undefined || isLink || getSelection()?.isCollapsed === false) return
    void navigate(executionPath(executionId))
  }
}
