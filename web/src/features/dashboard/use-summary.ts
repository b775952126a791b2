import { useGetExecutionSummaryQuery } from '../../shared/client.ts'

const refreshMs = 5000

/** Returns the present figures of each bot's executions; with a failure they may be old. */
export function useSummary() {
  const { data, error, isLoading, refetch } = useGetExecutionSummaryQuery(undefined, {
    pollingInterval: refreshMs,
    skipPollingIfUnfocused: true,
    refetchOnFocus: true,
    refetchOnMountOrArgChange: true,
  })
  return { summary: data, failure: error, isLoading, retry: () => void refetch() }
}
