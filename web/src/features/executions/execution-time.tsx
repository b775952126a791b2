import { utcTimeText } from '../../shared/format.ts'

/** When an execution began, in UTC: the day quietly, the time to the millisecond. */
export function ExecutionTime({ instant }: { instant: string }) {
  return (
    <time className="execution-time" dateTime={instant} title={instant}>
      <span className="quiet">{instant.slice(5, 10)}</span> {utcTimeText(instant)}
    </time>
  )
}
