import { useGetExecutionSummaryQuery } from '../../shared/client.ts'

const refreshMs = 5000

/** What the executions of each bot come to, as it stands now; with a failure the figures may be old. */
export function useSummary() {
  const { data, error, isLoading, refetch } = useGetExecutionSummaryQuery(undefined, {
    pollingInterval: refreshMs,
    skipPollingIfUnfocused: true,
    refetchOnFocus: true,
    refetchOnMountOrArgChange: true,
  })
  return { summary: data, failure: error, isLoading, retry: () => void refetch() }
}
