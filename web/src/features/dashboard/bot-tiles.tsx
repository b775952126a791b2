import type { ExecutionSummary } from '@tripline/proto/http/execution'
import { Flex } from 'antd'
import { Link } from 'react-router-dom'
import { durationText } from '../../shared/format.ts'
import { paths } from '../../shared/paths.ts'
import { percentText } from '../../shared/percent-text.ts'
import { successText, triedOf } from '../../shared/success-text.ts'
import { LoadFailure } from '../../ui/load-failure.tsx'
import { Panel } from '../../ui/panel.tsx'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { StatusChip } from '../../ui/status-chip.tsx'
import { texts } from './texts.ts'
import { useSummary } from './use-summary.ts'

const { bots: words } = texts

/** Every bot at a glance. */
export function BotTiles() {
  const { summary, failure, retry } = useSummary()
  if (summary === undefined) {
    return failure === undefined ? null : (
      <LoadFailure title={words.loadFailure} error={failure} onRetry={retry} />
    )
  }
  if (summary.keys.length === 0) return null
  const slowestMs = Math.max(
    0,
    ...summary.keys.map(({ execution_time_p95_ms }) => execution_time_p95_ms ?? 0),
  )
  return (
    <Panel title={words.title} count={summary.keys.length}>
      {failure !== undefined && <LoadFailure title={words.old} error={failure} onRetry={retry} />}
      <ul className="bot-tiles">
        {summary.keys.map((figures) => (
          <li key={figures.api_key_id}>
            <BotTile figures={figures} slowestMs={slowestMs} />
          </li>
        ))}
      </ul>
    </Panel>
  )
}

type Figures = ExecutionSummary['keys'][number]

interface BotTileProps {
  figures: Figures
  /** Of all bots, so that their bars can be compared. */
  slowestMs: number
}

/** The health of one bot; it leads to its executions. */
function BotTile({ figures, slowestMs }: BotTileProps) {
  const { api_key_label: label, last_alert_at, last_status, executions_24h: count } = figures
  const query = new URLSearchParams({ api_key_label: label })
  return (
    <Link className="framed bot-tile" to={`${paths.executions}?${query}`} title={words.history(label)}>
      <strong className="bot-tile-name">{label}</strong>
      <Flex component="span" gap={8} align="center" justify="space-between">
        <span className="quiet">
          {last_alert_at === null ? (
            words.never
          ) : (
            <>
              {words.lastAlert} <RelativeTime instant={last_alert_at} />
            </>
          )}
        </span>
        {/* The alert's outcome, and not the bot's state. */}
        {last_status !== null && <StatusChip status={last_status} />}
      </Flex>
      {count > 0 && <SuccessRate figures={figures} />}
      {count > 0 && <SpeedBars figures={figures} slowestMs={slowestMs} />}
    </Link>
  )
}

function SuccessRate({ figures }: { figures: Figures }) {
  const { success_rate_24h: rate, executions_24h: count, counts_24h: ends } = figures
  const said = ends ? `${words.count(count)}: ${successText(ends)}` : words.count(count)
  return (
    <span className="bot-rate" title={said}>
      <span className="quiet">{words.success}</span>
      <svg className="bar" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
        <rect width={(rate ?? 0) * 100} height="6" />
      </svg>
      <span className="bot-figure">{rateText(rate, ends)}</span>
    </span>
  )
}

function rateText(rate: number | null, ends: Figures['counts_24h']): string {
  if (rate === null) return '–'
  return ends ? words.rateOf(percentText(rate), triedOf(ends)) : `${percentText(rate)}%`
}

interface SpeedBarsProps {
  figures: ExecutionSummary['keys'][number]
  slowestMs: number
}

/** The speed of a bot's commands: a thick bar to the median and a thin one to the slow end. */
function SpeedBars({ figures, slowestMs }: SpeedBarsProps) {
  const { execution_time_p50_ms: p50, execution_time_p95_ms: p95 } = figures
  if (p50 === null || p95 === null) return null
  const share = (ms: number) => (slowestMs > 0 ? Math.max(1, (ms / slowestMs) * 100) : 0)
  return (
    <span className="bot-speed">
      <span className="quiet">{words.speed}</span>
      <svg className="bar" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
        <rect className="speed-slow" y="2" width={share(p95)} height="2" />
        <rect width={share(p50)} height="6" />
      </svg>
      <span className="bot-figure">
        {durationText(p50)}, {words.p95} {durationText(p95)}
      </span>
    </span>
  )
}
