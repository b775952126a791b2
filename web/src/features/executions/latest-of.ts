import type { ExecutionView } from '@tripline/proto/http/execution'

/** The one of two tellings of an execution that knows more: the record of its flight, unless only the list has its end. */
export function latestOf<Flight extends ExecutionView>(
  listed: ExecutionView,
  flight: Flight | undefined,
): ExecutionView | Flight {
  if (flight === undefined) return listed
  return isOver(listed) && !isOver(flight) ? listed : flight
}

/** Whether something of an execution is still to be found out. */
export function isUnsettled({ overall_status, commands_executed }: ExecutionView): boolean {
  return (
    overall_status === 'running' ||
    commands_executed.some(({ status }) => status === 'running' || status === 'unknown')
  )
}

/** Returns the statuses of an execution and its commands, as a text that changes whenever one of them does. */
export function standingOf({ overall_status, commands_executed }: ExecutionView): string {
  return [overall_status, ...commands_executed.map(({ status }) => status)].join(' ')
}

const isOver = ({ overall_status }: ExecutionView) => overall_status !== 'running'
