import { startTransition, useEffect, useState } from 'react'

/**
 * Returns the open rows whose details are drawn by now, one more each time: drawn at once, those of a whole page would hold
 * up what is touched next.
 */
export function useDrawnRows(openIds: ReadonlySet<string>): ReadonlySet<string> {
  const [drawn, setDrawn] = useState<ReadonlySet<string>>(openIds)
  const next = [...openIds].find((id) => !drawn.has(id))
  const hasClosed = [...drawn].some((id) => !openIds.has(id))
  useEffect(() => {
    if (next === undefined && !hasClosed) return
    const open = [...drawn].filter((id) => openIds.has(id))
    startTransition(() => setDrawn(new Set(next === undefined ? open : [...open, next])))
  }, [openIds, drawn, next, hasClosed])
  return drawn
}
