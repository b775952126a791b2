import type { ExecutionSummary } from '@tripline/proto/http/execution'
import { useMemo } from 'react'
import { useGetExecutionSummaryQuery } from '../../shared/client.ts'

type KeyFigures = ExecutionSummary['keys'][number]

/** What the executions of each key come to, by its id; empty until that is known. */
export function useKeyFigures(): ReadonlyMap<string, KeyFigures> {
  const { data } = useGetExecutionSummaryQuery(undefined, { refetchOnMountOrArgChange: true })
  return useMemo(() => new Map(data?.keys.map((figures) => [figures.api_key_id, figures])), [data])
}
