import { useCallback, useEffect, useRef } from 'react'

/** Does something so long after the first of several calls; those that come meanwhile are part of it. */
export function useThrottled(act: () => unknown, afterMs: number): () => void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  return useCallback(() => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined
      void act()
    }, afterMs)
  }, [act, afterMs])
}
