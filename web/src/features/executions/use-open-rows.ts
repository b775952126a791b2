import { startTransition, useCallback, useEffect, useState } from 'react'

/** Which rows are open, by their ids. */
export interface OpenRows {
  ids: ReadonlySet<string>
  toggle: (id: string) => void
  /** Opens all of these, or closes everything where all of them are open. */
  toggleAll: (all: readonly string[]) => void
}

/** Rows that open and close one by one or all at once; an open row stays open whatever arrives. */
export function useOpenRows(): OpenRows {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  const toggle = useCallback(
    (id: string) => setIds((before) => (before.has(id) ? without(before, id) : new Set([...before, id]))),
    [],
  )
  const toggleAll = useCallback(
    (all: readonly string[]) =>
      setIds((before) => (all.every((id) => before.has(id)) ? new Set() : new Set(all))),
    [],
  )
  return { ids, toggle, toggleAll }
}

function without(ids: ReadonlySet<string>, id: string): ReadonlySet<string> {
  return new Set([...ids].filter((other) => other !== id))
}

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
