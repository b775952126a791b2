import { Tooltip } from 'antd'
import { durationText } from '../../shared/format.ts'
import { texts } from '../../shared/texts.ts'

interface SpeedBadgeProps {
  totalMs: number
  /** Null where the product did not say. */
  backendMs: number | null
}

/** How long a message took, with its parts in a tooltip. */
export function SpeedBadge({ totalMs, backendMs }: SpeedBadgeProps) {
  return (
    <Tooltip title={<SpeedParts totalMs={totalMs} backendMs={backendMs} />}>
      <button type="button" className="speed-badge">
        {durationText(totalMs)}
      </button>
    </Tooltip>
  )
}

function SpeedParts({ totalMs, backendMs }: SpeedBadgeProps) {
  const { speed } = texts
  const overheadMs = backendMs === null ? null : Math.max(0, totalMs - backendMs)
  return (
    <dl className="speed-parts">
      <SpeedPart name={speed.backend} ms={backendMs} />
      <SpeedPart name={speed.overhead} ms={overheadMs} />
      <SpeedPart name={speed.total} ms={totalMs} />
    </dl>
  )
}

function SpeedPart({ name, ms }: { name: string; ms: number | null }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{ms === null ? '–' : durationText(ms)}</dd>
    </>
  )
}
