import ApiOutlined from '@ant-design/icons/ApiOutlined'
import BranchesOutlined from '@ant-design/icons/BranchesOutlined'
import CheckCircleOutlined from '@ant-design/icons/CheckCircleOutlined'
import CloseCircleOutlined from '@ant-design/icons/CloseCircleOutlined'
import ClusterOutlined from '@ant-design/icons/ClusterOutlined'
import CodeOutlined from '@ant-design/icons/CodeOutlined'
import HeartOutlined from '@ant-design/icons/HeartOutlined'
import LinkOutlined from '@ant-design/icons/LinkOutlined'
import PlayCircleOutlined from '@ant-design/icons/PlayCircleOutlined'
import SwapOutlined from '@ant-design/icons/SwapOutlined'
import type { LiveEvent } from '@tripline/proto/live-event'
import { memo } from 'react'
import { durationText, utcTimeText } from '../../shared/format.ts'
import { type LogLook, logLookOf } from './log-look.ts'

const icons = {
  webhook: ApiOutlined,
  client_pool: ClusterOutlined,
  keepalive: HeartOutlined,
  command: CodeOutlined,
  start: PlayCircleOutlined,
  success: CheckCircleOutlined,
  exchange: SwapOutlined,
  oco: BranchesOutlined,
  error: CloseCircleOutlined,
  connected: LinkOutlined,
} satisfies Record<LogLook, unknown>

/** One line of the live log. */
export const LiveLogRow = memo(function LiveLogRow({ event }: { event: LiveEvent }) {
  const look = logLookOf(event)
  const Icon = icons[look]
  const durationMs = event.details?.execution_time_ms ?? event.details?.duration_ms
  return (
    <div className={`log-line log-${look}`}>
      <time dateTime={event.timestamp}>{utcTimeText(event.timestamp)}</time>
      <Icon aria-hidden="true" />
      <span className="log-message">{event.message}</span>
      {durationMs !== undefined && <span className="duration">{durationText(durationMs)}</span>}
    </div>
  )
})
