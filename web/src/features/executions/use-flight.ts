import { skipToken } from '@reduxjs/toolkit/query'
import type { ExecutionView } from '@tripline/proto/http/execution'
import { useEffect, useRef } from 'react'
import { client } from '../../shared/client.ts'
import { useLiveEvents } from '../../shared/live/use-live.ts'
import { useAskedLater } from '../../shared/use-asked-later.ts'
import { isUnsettled, latestOf, standingOf } from './latest-of.ts'

const { useQueryState: useFlightState, useQuerySubscription: useFlightSubscription } =
  client.endpoints.getExecution

const whileUnsettledMs = 5000
// A link shows an execution alone and opened: one question is enough for both.
const freshForS = 2
/** When the record is asked for after an event: it may be a little behind the live ones. */
const askAfterMs = [1000, 5000]

/** An execution as it is listed, or as its record has it while its details are open. */
export function useLatest(listed: ExecutionView, isOpen: boolean): ExecutionView {
  const { data: flight } = useFlightState(isOpen ? listed.id : skipToken)
  return latestOf(listed, flight)
}

/** The record of an execution's flight, asked for again whenever an event of it comes. */
export function useFlight(listed: ExecutionView) {
  const { id } = listed
  const { data: flight, error } = useFlightState(id)
  const execution = latestOf(listed, flight)
  const { refetch } = useFlightSubscription(id, {
    pollingInterval: isUnsettled(execution) ? whileUnsettledMs : 0,
    skipPollingIfUnfocused: true,
    refetchOnMountOrArgChange: freshForS,
  })
  const askLater = useAskedLater(refetch, askAfterMs)
  useLiveEvents((events) => {
    if (events.some(({ details }) => details?.execution_id === id)) askLater()
  })
  const standing = standingOf(listed)
  const seen = useRef(standing)
  useEffect(() => {
    if (seen.current === standing) return
    seen.current = standing
    void refetch()
  }, [standing, refetch])
  return { execution, flight, isFailed: flight === undefined && error !== undefined }
}
