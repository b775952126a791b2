import type { LiveEvent } from '@tripline/proto/live-event'
import { useEffect, useState } from 'react'
import { useDispatch } from 'react-redux'
import { authorizedFetch } from '../../shared/authorized-fetch.ts'
import { expireSession } from '../../shared/end-session.ts'
import { accessToken } from '../../shared/tokens.ts'
import { type Connect, followEvents, type LiveState } from './follow-events.ts'
import { keepNewest, type LogLine } from './log-lines.ts'
import { executionDone } from './terminal-slice.ts'

/** The live log's lines, oldest first, and where its connection stands; followed while the screen is open. */
export function useLiveLog(): { lines: readonly LogLine[]; state: LiveState } {
  const [lines, setLines] = useState<readonly LogLine[]>([])
  const [state, setState] = useState<LiveState>({ phase: 'connecting' })
  const dispatch = useDispatch()
  useEffect(() => {
    if (accessToken() === null) return
    const leaving = new AbortController()
    const arrived = batched(
      (events: LiveEvent[]) => setLines((kept) => keepNewest(kept, events)),
      leaving.signal,
    )
    const onEvent = (event: LiveEvent) => {
      arrived(event)
      const { execution_id: executionId, status } = event.details ?? {}
      if (executionId && status) dispatch(executionDone({ executionId, status }))
    }
    void followEvents(connect, { onEvent, onState: setState, onFailure: report }, leaving.signal)
    return () => leaving.abort()
  }, [dispatch])
  return { lines, state }
}

const connect: Connect = async (lastEventId, signal) => {
  const headers = { accept: 'text/event-stream', ...(lastEventId && { 'last-event-id': lastEventId }) }
  const answer = await authorizedFetch(
    new Request('/api/events/stream', { headers, signal, cache: 'no-store' }),
  )
  if (answer.status === 401 || answer.status === 403) expireSession()
  return answer
}

function report(cause: unknown) {
  // biome-ignore lint/suspicious/noConsole: the one failure that people look for in the browser's console.
  console.error(cause)
}

/** Collects what comes within a frame, so that a burst is drawn once. */
function batched(take: (events: LiveEvent[]) => void, stop: AbortSignal): (event: LiveEvent) => void {
  let waiting: LiveEvent[] = []
  return (event) => {
    waiting.push(event)
    if (waiting.length > 1) return
    setTimeout(() => {
      const events = waiting
      waiting = []
      if (!stop.aborted) take(events)
    }, 16)
  }
}
