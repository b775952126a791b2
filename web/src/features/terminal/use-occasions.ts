import { useEffect, useRef, useState } from 'react'
import { useSelector } from 'react-redux'
import { useGetTradingStateQuery } from '../../shared/client.ts'
import { useLiveEvents } from '../../shared/live/use-live.ts'
import { selectResponses } from './terminal-slice.ts'

const everyMs = 10_000
/** From a fill to the rise: longer than a preview's pause, so that fills without end do not keep it from being asked for. */
const afterFillMs = 1000

/** Returns a number that rises with whatever may change what a message would do, and every 10 s while the page is seen. */
export function useOccasions(): number {
  const [count, setCount] = useState(0)
  const [rise] = useState(() => () => setCount((before) => before + 1))
  const responses = useSelector(selectResponses)
  const { data: trading } = useGetTradingStateQuery()
  // biome-ignore lint/correctness/useExhaustiveDependencies: each of them is an occasion.
  useEffect(rise, [responses, trading?.state, rise])
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === 'visible' && rise(), everyMs)
    return () => clearInterval(timer)
  }, [rise])
  useFills(rise)
  return count
}

function useFills(rise: () => void): void {
  const waiting = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(waiting.current), [])
  useLiveEvents((events) => {
    if (waiting.current !== undefined || !events.some(({ details }) => details?.phase === 'filled')) return
    waiting.current = setTimeout(() => {
      waiting.current = undefined
      rise()
    }, afterFillMs)
  })
}
