import { type Bus, subscribe } from '@tripline/kit/bus/bus'
import { SessionEnded } from '@tripline/proto/auth-request'
import type { SessionId } from '@tripline/proto/id'
import { sessionEndedSubject } from '@tripline/proto/subject'

/** The sessions that have ended while access tokens of theirs may still be valid. */
export interface EndedSessions {
  has: (sessionId: SessionId) => boolean
  /** Calls back when a session ends; returns an unsubscribe function. */
  onEnd: (sessionId: SessionId, listener: () => void) => () => void
}

/** No access token lives longer. */
const rememberMs = 61 * 60_000

/** Remembers the sessions that end from now on; one that was missed is taken until its token expires. */
export function subscribeToEndedSessions(bus: Bus, now: () => number): EndedSessions {
  // In the order in which they ended, so the oldest is first.
  const endedAt = new Map<SessionId, number>()
  const listeners = new Map<SessionId, Set<() => void>>()
  subscribe(bus, sessionEndedSubject, (text) => {
    const { sessionId } = SessionEnded.parse(JSON.parse(text))
    forgetOld()
    endedAt.set(sessionId, now())
    for (const listener of listeners.get(sessionId) ?? []) listener()
  })
  return {
    has: (sessionId) => endedAt.has(sessionId),
    onEnd: (sessionId, listener) => {
      const own = listeners.get(sessionId) ?? new Set()
      listeners.set(sessionId, own.add(listener))
      return () => {
        own.delete(listener)
        if (own.size === 0 && listeners.get(sessionId) === own) listeners.delete(sessionId)
      }
    },
  }

  function forgetOld(): void {
    for (const [sessionId, at] of endedAt) {
      if (at > now() - rememberMs) return
      endedAt.delete(sessionId)
    }
  }
}
