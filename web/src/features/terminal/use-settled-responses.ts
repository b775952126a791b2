import { useDispatch } from 'react-redux'
import { useLiveEvents } from '../../shared/live/use-live.ts'
import { endsIn } from './execution-ends.ts'
import { executionsEnded } from './terminal-slice.ts'

/** Settles the responses of accepted alerts as the live events report the ends of their executions. */
export function useSettledResponses(): void {
  const dispatch = useDispatch()
  useLiveEvents((events) => {
    const ends = endsIn(events)
    if (ends.length > 0) dispatch(executionsEnded(ends))
  })
}
