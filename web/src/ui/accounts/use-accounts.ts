import type { LiveEvent } from '@tripline/proto/live-event'
import { useCallback, useEffect, useEffectEvent, useRef } from 'react'
import { useListAccountsQuery } from '../../shared/client.ts'
import { lastCameAt, useLiveEvents } from '../../shared/live/use-live.ts'

const refreshMs = 10_000
// Longer than readings are shared at the server, so that what is asked for then shows what happened.
const afterEventMs = 2500

const changing: ReadonlySet<string> = new Set(['filled', 'canceled', 'amended', 'done', 'changed'])

/** Returns the present accounts at the exchanges; with a failure they may be old. It is read again while it is seen. */
export function useAccounts() {
  const { data, error, isFetching, refetch, fulfilledTimeStamp } = useListAccountsQuery(undefined, {
    pollingInterval: refreshMs,
    skipPollingIfUnfocused: true,
    refetchOnFocus: true,
    refetchOnReconnect: true,
    refetchOnMountOrArgChange: refreshMs / 1000,
  })
  const readSoon = useThrottled(refetch, afterEventMs)
  useLiveEvents((events) => {
    if (events.some(mayChange)) readSoon()
  })
  const catchUp = useEffectEvent(() => {
    if (fulfilledTimeStamp !== undefined && fulfilledTimeStamp < lastCameAt(mayChange) + afterEventMs)
      readSoon()
  })
  // Events on the screen before may not be in that reading.
  useEffect(() => catchUp(), [])
  return {
    accounts: data?.accounts,
    failure: error,
    isReading: isFetching,
    readAt: fulfilledTimeStamp,
    readAgain: () => void refetch(),
  }
}

function mayChange({ details }: LiveEvent): boolean {
  return details?.phase !== undefined && changing.has(details.phase)
}

/** Does something so long after the first of several calls; those that come meanwhile are part of it. */
function useThrottled(act: () => unknown, afterMs: number): () => void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  return useCallback(() => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined
      void act()
    }, afterMs)
  }, [act, afterMs])
}
