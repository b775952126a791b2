import { type Bus, publish } from '@tripline/kit/bus/bus'
import type { SessionEnded } from '@tripline/proto/auth-request'
import type { SessionId } from '@tripline/proto/id'
import { sessionEndedSubject } from '@tripline/proto/subject'

/**
 * Publishes to all verifiers of access tokens that these sessions are over. A verifier that misses it takes theirs
 * until they expire.
 */
export function publishEnded(bus: Bus, sessionIds: readonly SessionId[]): void {
  for (const sessionId of sessionIds) {
    const ended: SessionEnded = { sessionId }
    publish(bus, sessionEndedSubject, JSON.stringify(ended))
  }
}
