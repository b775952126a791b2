import { useListExecutionsQuery } from '../shared/client.ts'
import { failedSince } from './failed-since.ts'

const hourMs = 3_600_000
const askEveryMs = 60_000
// More than this is shown as "99+", and one page holds no more.
const mostCounted = 100

/** The question for the newest failures, the same wherever it is asked. */
export const failedArg = { overallStatus: 'failed', limit: mostCounted } as const

/** Returns the number of executions that failed in the last hour, at most 100. */
export function useFailedCount(): number {
  const { data } = useListExecutionsQuery(failedArg, {
    pollingInterval: askEveryMs,
    skipPollingIfUnfocused: true,
  })
  return failedSince(data?.executions ?? [], Date.now() - hourMs)
}

/** A count as it is shown: nothing above 99. */
export function countText(count: number): string {
  return count < mostCounted ? String(count) : '99+'
}
