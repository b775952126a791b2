import { steadyNow } from '@tripline/kit/clock'
import { WithheldError } from './fence.ts'
import { withDeadline } from './with-deadline.ts'

/** For how long a signature may wait for a free connection: venues refuse what was signed for a moment long past. */
const freshMs = 500

/** Thrown right before a request is written whose signature is old; nothing of it was sent. */
class StaleError extends Error {
  constructor() {
    super('signed too long ago')
    this.name = 'StaleError'
  }
}

/** A request that is signed in the moment in which it is written to its connection. */
export interface FreshRequest<Answer> {
  /**
   * Signs the request for now and dispatches it. `onWriting` is called right before its first byte; where that throws, the
   * client fails the request with it, writes nothing and keeps the connection.
   */
  dispatch: (onWriting: () => void) => Promise<Answer>
  /** Asked right before the first byte. */
  isPermitted: () => boolean
  timeoutMs: number
}

/**
 * Returns the answer to a request that may wait for a free connection: it is signed anew where that took long, and never
 * written once it is not permitted any more, or its time is over. Throws a `WithheldError` where it was not permitted.
 */
export async function sendFresh<Answer>(request: FreshRequest<Answer>): Promise<Answer> {
  const { timeoutMs } = request
  const whole = { isOver: false }
  try {
    return await withDeadline(untilWritten(request, whole), timeoutMs)
  } finally {
    whole.isOver = true
  }
}

async function untilWritten<Answer>(
  { dispatch, isPermitted }: FreshRequest<Answer>,
  whole: { isOver: boolean },
): Promise<Answer> {
  for (;;) {
    const signedAt = steadyNow()
    try {
      return await dispatch(() => {
        if (whole.isOver || !isPermitted()) throw new WithheldError()
        if (steadyNow() - signedAt > freshMs) throw new StaleError()
      })
    } catch (error) {
      if (!(error instanceof StaleError)) throw error
    }
  }
}
