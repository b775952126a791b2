import { momentText } from '../../shared/moment-text.ts'
import { useZone } from '../../shared/zone.ts'
import { RelativeTime } from '../../ui/relative-time.tsx'

/** When an execution began: the day quietly, the time to the millisecond, and how long ago that is. */
export function ExecutionTime({ instant }: { instant: string }) {
  const { day, time } = momentText(instant, useZone())
  return (
    <>
      <time className="execution-time" dateTime={instant} title={instant}>
        <span className="quiet">{day}</span> {time}
      </time>
      <span className="execution-ago quiet">
        <RelativeTime instant={instant} />
      </span>
    </>
  )
}
