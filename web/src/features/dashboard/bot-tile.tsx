import type { ExecutionSummary } from '@tripline/proto/http/execution'
import { Link } from 'react-router-dom'
import { paths } from '../../shared/paths.ts'
import { percentText } from '../../shared/percent-text.ts'
import { successText, triedOf } from '../../shared/success-text.ts'
import { RelativeTime } from '../../ui/relative-time.tsx'
import { StatusChip } from '../../ui/status-chip.tsx'
import { SpeedBars } from './speed-bars.tsx'
import { texts } from './texts.ts'

const { bots: words } = texts

type Figures = ExecutionSummary['keys'][number]

interface BotTileProps {
  figures: Figures
  /** Of all bots, so that their bars can be compared. */
  slowestMs: number
}

/** The health of one bot; it leads to its executions. */
export function BotTile({ figures, slowestMs }: BotTileProps) {
  const { api_key_label: label, last_alert_at, last_status, executions_24h: count } = figures
  const query = new URLSearchParams({ api_key_label: label })
  return (
    <Link className="bot-tile" to={`${paths.executions}?${query}`} title={words.history(label)}>
      <strong className="bot-tile-name">{label}</strong>
      <span className="bot-last">
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
      </span>
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
      <svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
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
