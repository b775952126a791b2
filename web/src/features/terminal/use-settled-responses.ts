import { useDispatch } from 'react-redux'
import { useLiveEvents } from '../../shared/live/use-live.ts'
import { executionDone } from './terminal-slice.ts'

/** Settles the responses of accepted alerts as the live events tell how their executions ended. */
export function useSettledResponses(): void {
  const dispatch = useDispatch()
  useLiveEvents((events) => {
    for (const { details } of events) {
      const { execution_id: executionId, status } = details ?? {}
      if (executionId && status) dispatch(executionDone({ executionId, status }))
    }
  })
}
