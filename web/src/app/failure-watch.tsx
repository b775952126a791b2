import { useEffect } from 'react'
import { client } from '../shared/client.ts'
import { useLiveEvents } from '../shared/live/use-live.ts'
import { setTitlePrefix } from '../shared/title-prefix.ts'
import { useAskedLater } from '../shared/use-asked-later.ts'
import { countText, failedArg, useFailedCount } from './use-failed-count.ts'

const { useQuerySubscription: useFailedSubscription } = client.endpoints.listExecutions

/** When the list is asked for after a failure: it may be a little behind the live events. */
const askAfterMs = [0, 1000, 4000, 15_000]

/** Keeps the count of recent failures true as they happen, and shows it in the tab. */
export function FailureWatch() {
  const count = useFailedCount()
  const { refetch } = useFailedSubscription(failedArg)
  const askLater = useAskedLater(refetch, askAfterMs)
  useLiveEvents((events) => {
    if (events.some(({ details }) => details?.status === 'failed')) askLater()
  })
  useEffect(() => setTitlePrefix(count === 0 ? '' : `(${countText(count)}) `), [count])
  useEffect(() => () => setTitlePrefix(''), [])
  return null
}
