import { useEffect } from 'react'
import { client } from '../shared/client.ts'
import { useLiveEvents } from '../shared/live/use-live.ts'
import { setTitlePrefix } from '../shared/title-prefix.ts'
import { countText, failedArg, useFailedCount } from './use-failed-count.ts'

const { useQuerySubscription: useFailedSubscription } = client.endpoints.listExecutions

/** Keeps the count of recent failures true as they happen, and shows it in the tab. */
export function FailureWatch() {
  const count = useFailedCount()
  const { refetch } = useFailedSubscription(failedArg)
  useLiveEvents((events) => {
    if (events.some(({ details }) => details?.status === 'failed')) void refetch()
  })
  useEffect(() => setTitlePrefix(count === 0 ? '' : `(${countText(count)}) `), [count])
  useEffect(() => () => setTitlePrefix(''), [])
  return null
}
