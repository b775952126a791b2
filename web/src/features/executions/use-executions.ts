import type { ExecutionPage } from '@tripline/proto/http/execution'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { useListExecutionsQuery } from '../../shared/client.ts'
import { useZone } from '../../shared/zone.ts'
import { arrive, type Shown } from './arrivals.ts'
import type { ExecutionFilter, Sort } from './execution-filter.ts'
import { listQuery } from './execution-query.ts'

/** The interval at which the first page is asked for. */
export const pollMs = 5000

interface Reader {
  /** Whether the list was scrolled, so that no row may move; nor may one while a row is open. */
  isScrolled: boolean
  openIds: ReadonlySet<string>
}

interface Choice extends Reader {
  filter: ExecutionFilter
  sort: Sort
  offset: number
}

/** The executions to show: the first page asks again every five seconds while somebody can see it. */
export function useExecutions({ filter, sort, offset, isScrolled, openIds }: Choice) {
  const isPolling = offset === 0
  const zone = useZone()
  const query = listQuery(filter, sort, offset, { nowMs: Date.now(), zone })
  const asked = useListExecutionsQuery(query, {
    pollingInterval: isPolling ? pollMs : 0,
    skipPollingIfUnfocused: true,
    refetchOnFocus: isPolling,
    refetchOnMountOrArgChange: true,
  })
  const arrivals = useArrivals(JSON.stringify([filter, sort, offset]), asked.currentData, {
    isScrolled,
    openIds,
  })
  return {
    ...arrivals,
    isPolling,
    error: asked.error,
    retry: asked.refetch,
    /** Other rows were asked for and have not come. */
    isChanging: !arrivals.isShown && asked.error === undefined,
  }
}

function useArrivals(key: string, page: ExecutionPage | undefined, { isScrolled, openIds }: Reader) {
  const [latest, setLatest] = useState<{ key: string; shown: Shown }>()
  useEffect(() => {
    if (page === undefined) return
    const isPaused = ({ executions }: Shown) => isScrolled || executions.some(({ id }) => openIds.has(id))
    setLatest((before) => {
      const shown = before?.key === key ? before.shown : undefined
      return { key, shown: arrive(shown, page, shown !== undefined && isPaused(shown)) }
    })
  }, [key, page, isScrolled, openIds])
  return {
    shown: latest?.shown,
    /** The shown page is that of the present query, and not the one before. */
    isShown: latest?.key === key,
    showNewest: () => {
      if (page !== undefined) setLatest({ key, shown: arrive(undefined, page, false) })
    },
  }
}

// A touch of the page is no scrolling yet.
const scrolledFromPx = 10

/** Whether the page was scrolled away from its beginning. */
export function useIsScrolled(): boolean {
  return useSyncExternalStore(subscribe, isScrolled)
}

function isScrolled(): boolean {
  return window.scrollY > scrolledFromPx
}

function subscribe(changed: () => void): () => void {
  addEventListener('scroll', changed, { passive: true })
  return () => removeEventListener('scroll', changed)
}
