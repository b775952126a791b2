import { type Bus, subscribe } from '@tripline/kit/bus/bus'
import { expiringMap } from '@tripline/kit/time/expiring-map'
import { SessionEnded } from '@tripline/proto/auth-request'
import type { SessionId } from '@tripline/proto/id'
import { sessionEndedSubject } from '@tripline/proto/subject'

// No access token lives longer.
const rememberMs = 61 * 60_000
const mostRemembered = 200_000

/** Returns whether a session is over, of those whose access tokens may still be valid. */
export type HasEnded = (sessionId: SessionId) => boolean

/** Remembers the sessions that end from now on. */
export function subscribeToEndedSessions(bus: Bus, clock: () => number): HasEnded {
  const ended = expiringMap<true>(rememberMs, mostRemembered)
  subscribe(bus, sessionEndedSubject, (text) => {
    ended.set(SessionEnded.parse(JSON.parse(text)).sessionId, true, clock())
  })
  return (sessionId) => ended.get(sessionId, clock()) === true
}
