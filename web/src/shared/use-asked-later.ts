import { useCallback, useEffect, useRef } from 'react'

/** Asks for something at these times after the last call of what it gives; what is shown is never behind for long. */
export function useAskedLater(ask: () => unknown, afterMs: readonly number[]): () => void {
  const asking = useRef<ReturnType<typeof setTimeout>[]>([])
  useEffect(() => () => asking.current.forEach(clearTimeout), [])
  return useCallback(() => {
    asking.current.forEach(clearTimeout)
    asking.current = afterMs.map((ms) => setTimeout(() => void ask(), ms))
  }, [ask, afterMs])
}
