import { useMemo } from 'react'
import { useGetExecutionSummaryQuery } from '../../shared/client.ts'
import { figuresById } from './key-use.ts'

/** Returns the figures of each key's executions, undefined until they are known, and whether they are current. */
export function useKeyFigures() {
  const { data, error } = useGetExecutionSummaryQuery(undefined, { refetchOnMountOrArgChange: true })
  const figures = useMemo(() => data && figuresById(data), [data])
  return { figures, isCurrent: error === undefined }
}
