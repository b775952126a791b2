import { useEffect, useRef } from 'react'
import { client } from '../shared/client.ts'
import { useLiveEvents } from '../shared/live/use-live.ts'
import { setTitlePrefix } from '../shared/title-prefix.ts'
import { countText, failedArg, useFailedCount } from './use-failed-count.ts'

const { useQuerySubscription: useFailedSubscription } = client.endpoints.listExecutions

/** When the list is asked for after a failure: it may be a little behind the live events. */
const askAfterMs = [0, 1000, 4000, 15_000]

/** Keeps the count of recent failures true as they happen, and shows it in the tab. */
export function FailureWatch() {
  const count = useFailedCount()
  const { refetch } = useFailedSubscription(failedArg)
  const asking = useRef<ReturnType<typeof setTimeout>[]>([])
  useLiveEvents((events) => {
    if (!events.some(({ details }) => details?.status === 'failed')) return
    asking.current.forEach(clearTimeout)
    asking.current = askAfterMs.map((ms) => setTimeout(() => void refetch(), ms))
  })
  useEffect(() => () => asking.current.forEach(clearTimeout), [])
  useEffect(() => setTitlePrefix(count === 0 ? '' : `(${countText(count)}) `), [count])
  useEffect(() => () => setTitlePrefix(''), [])
  return null
}
