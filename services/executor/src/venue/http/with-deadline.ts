/** Thrown when a call took longer than we wait; its effect at the venue is not known. */
export class DeadlineError extends Error {
  constructor(timeoutMs: number) {
    super(`no answer within ${timeoutMs} ms`)
    this.name = 'DeadlineError'
  }
}

/**
 * The promise's value, or a `DeadlineError` after this long. The library's own timeout ends when headers arrive, so a
 * stalled body would hold a lane for ever. A process that is late itself reads once more what has arrived meanwhile.
 */
export async function withDeadline<Value>(promise: Promise<Value>, timeoutMs: number): Promise<Value> {
  let timer: NodeJS.Timeout | undefined
  const deadline = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => setImmediate(reject, new DeadlineError(timeoutMs)), timeoutMs)
  })
  try {
    return await Promise.race([promise, deadline])
  } finally {
    clearTimeout(timer)
  }
}
