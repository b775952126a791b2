import type { OverallStatus } from '@tripline/proto/alert'
import type { LiveEvent } from '@tripline/proto/live-event'

/** The end of an execution or, under the id of its alert, of an alert that was refused after it had been accepted. */
export interface ExecutionEnd {
  executionId: string
  status: OverallStatus
}

/** Returns the ends in these live events. */
export function endsIn(events: readonly LiveEvent[]): ExecutionEnd[] {
  return events.flatMap(({ details }) => {
    const executionId = details?.execution_id
    const status = details?.phase === 'refused' ? 'failed' : details?.status
    return executionId && status ? [{ executionId, status }] : []
  })
}
