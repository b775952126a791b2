import type { ExecutionSummary } from '@tripline/proto/http/execution'
import { durationText } from '../../shared/format.ts'
import { texts } from './texts.ts'

const { bots: words } = texts

interface SpeedBarsProps {
  figures: ExecutionSummary['keys'][number]
  slowestMs: number
}

/** The speed of a bot's commands: a thick bar to the median and a thin one to the slow end. */
export function SpeedBars({ figures, slowestMs }: SpeedBarsProps) {
  const { execution_time_p50_ms: p50, execution_time_p95_ms: p95 } = figures
  if (p50 === null || p95 === null) return null
  const share = (ms: number) => (slowestMs > 0 ? Math.max(1, (ms / slowestMs) * 100) : 0)
  return (
    <span className="bot-speed">
      <span className="quiet">{words.speed}</span>
      <svg viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
        <rect className="speed-slow" y="2" width={share(p95)} height="2" />
        <rect width={share(p50)} height="6" />
      </svg>
      <span className="bot-figure">
        {durationText(p50)}, {words.p95} {durationText(p95)}
      </span>
    </span>
  )
}
