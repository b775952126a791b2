import { useCallback, useState } from 'react'

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
