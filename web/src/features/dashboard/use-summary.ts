import { useGetExecutionSummaryQuery } from '../../shared/client.ts'

const refreshMs = 5000

/** What the executions of each bot come to, as it stands now. */
export function useSummary() {
  const { data, isError, isLoading, refetch } = useGetExecutionSummaryQuery(undefined, {
    pollingInterval: refreshMs,
    skipPollingIfUnfocused: true,
    refetchOnFocus: true,
    refetchOnMountOrArgChange: true,
  })
  return { summary: data, isFailed: isError && data === undefined, isLoading, retry: refetch }
}
