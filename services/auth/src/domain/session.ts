/** Limits of a session's life, in ms. */
export interface SessionLimits {
  /** since its last refresh */
  idleMs: number
  /** since its login */
  longestMs: number
}

/** The facts of a session when one of its tokens comes in; moments are in ms. */
export interface TokenUse {
  createdAt: number
  refreshedAt: number
  endedAt: number | null
  /** The newest refresh token that was used, counted from 0; -1 before the first use. */
  usedGeneration: number
}

/** Whether the session can still be used. */
export function isAlive(session: TokenUse, limits: SessionLimits, nowMs: number): boolean {
  return (
    session.endedAt === null &&
    nowMs < session.refreshedAt + limits.idleMs &&
    nowMs < session.createdAt + limits.longestMs
  )
}

/**
 * Returns what is to be done about a presented refresh token. A token is spent when its successor is first used; until
 * then presenting it again is harmless (`refresh`). A spent one in somebody's hands means that it was copied (`reuse`).
 */
export function judgeRefresh(
  session: TokenUse,
  generation: number,
  limits: SessionLimits,
  nowMs: number,
): 'refresh' | 'reuse' | 'over' {
  if (!isAlive(session, limits, nowMs)) return 'over'
  return generation < session.usedGeneration ? 'reuse' : 'refresh'
}
