import { useMemo } from 'react'
import { useGetExecutionSummaryQuery } from '../../shared/client.ts'
import { figuresById } from './key-use.ts'

/** What the executions of each key come to, undefined until that is known, and whether it still holds. */
export function useKeyFigures() {
  const { data, error } = useGetExecutionSummaryQuery(undefined, { refetchOnMountOrArgChange: true })
  const figures = useMemo(() => data && figuresById(data), [data])
  return { figures, isCurrent: error === undefined }
}
