import { Tooltip } from 'antd'
import { durationText } from '../../shared/format.ts'
import { speedTexts } from './texts.ts'

interface SpeedBadgeProps {
  totalMs: number
  /** Null where the product did not say. */
  backendMs: number | null
}

/** The duration of a message: a bar of its two parts with their sum, and all three in a tooltip. */
export function SpeedBadge({ totalMs, backendMs }: SpeedBadgeProps) {
  const share = backendMs === null || totalMs === 0 ? 0 : Math.min(1, backendMs / totalMs)
  return (
    <Tooltip title={<SpeedParts totalMs={totalMs} backendMs={backendMs} />}>
      <button type="button" className="speed-badge">
        <svg className="speed-bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
          <rect className="speed-overhead" width="100" height="10" />
          <rect className="speed-backend" width={100 * share} height="10" />
        </svg>
        {durationText(totalMs)}
      </button>
    </Tooltip>
  )
}

function SpeedParts({ totalMs, backendMs }: SpeedBadgeProps) {
  const overheadMs = backendMs === null ? null : Math.max(0, totalMs - backendMs)
  return (
    <dl className="speed-parts">
      <SpeedPart name={speedTexts.backend} look="backend" ms={backendMs} />
      <SpeedPart name={speedTexts.overhead} look="overhead" ms={overheadMs} />
      <SpeedPart name={speedTexts.total} look="total" ms={totalMs} />
    </dl>
  )
}

function SpeedPart({ name, look, ms }: { name: string; look: string; ms: number | null }) {
  return (
    <>
      <dt className={`speed-part-${look}`}>{name}</dt>
      <dd>{ms === null ? '–' : durationText(ms)}</dd>
    </>
  )
}
