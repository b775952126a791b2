import type { LiveEvent } from '@tripline/proto/live-event'
import { useEffect, useEffectEvent, useSyncExternalStore } from 'react'
import { authorizedFetch } from '../authorized-fetch.ts'
import { expireSession } from '../end-session.ts'
import { tokenSubject } from '../token-subject.ts'
import { accessToken } from '../tokens.ts'
import type { Connect, LivePhase } from './follow-events.ts'
import type { LiveLine } from './live-lines.ts'
import { createLiveStream } from './live-stream.ts'
import { storedPosition, storePosition } from './stored-position.ts'

const userId = tokenSubject(accessToken())
const stream = createLiveStream(
  connect,
  report,
  userId === undefined ? undefined : storedPosition(sessionStorage, userId),
)

// The page's person does not change while it is open; one who has logged out leaves nothing.
window.addEventListener('pagehide', () => {
  const position = stream.position()
  if (position !== undefined && userId !== undefined && tokenSubject(accessToken()) === userId)
    storePosition(sessionStorage, userId, position)
})

/** Returns the phase of the one connection to the live events. Without a session none is attempted. */
export function useLiveState(): LivePhase {
  return useSyncExternalStore(watch, stream.state)
}

/** The newest live events, at most 200, oldest first. */
export function useLiveLines(): readonly LiveLine[] {
  return useSyncExternalStore(watch, stream.lines)
}

/** The newest live events that came until now, at most 200, oldest first. */
export function liveEventsSoFar(): LiveEvent[] {
  return stream.lines().map(({ event }) => event)
}

/** When the newest live event of this form came, by the browser's clock, in ms; 0 where none did. */
export function lastCameAt(isMeant: (event: LiveEvent) => boolean): number {
  return stream.lines().findLast(({ event }) => isMeant(event))?.cameAt ?? 0
}

/** Calls back with the live events that come while the component is on the screen, a frame's worth at once. */
export function useLiveEvents(onEvents: (events: readonly LiveEvent[]) => void): void {
  const onNewest = useEffectEvent(onEvents)
  useEffect(
    () => (accessToken() === null ? undefined : stream.subscribeToEvents((events) => onNewest(events))),
    [],
  )
}

function watch(onChange: () => void): () => void {
  return accessToken() === null ? () => undefined : stream.subscribe(onChange)
}

async function connect(...[lastEventId, signal]: Parameters<Connect>): Promise<Response> {
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
