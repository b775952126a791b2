/** Answers a key with what is on its way, or came within the last moment; otherwise by the work. */
type Shared<Value> = (key: string, work: () => Promise<Value>) => Promise<Value>

/**
 * Lets callers share answers that are no older than this, by a clock in ms; failures are not stored. Older answers are
 * dropped at the next request.
 */
export function sharedForMoments<Value>(freshMs: number, clock: () => number): Shared<Value> {
  const known = new Map<string, { askedAt: number; answer: Promise<Value> }>()
  return async (key, work) => {
    const askedAt = clock()
    for (const [other, { askedAt: at }] of known) if (askedAt - at >= freshMs) known.delete(other)
    const fresh = known.get(key)
    if (fresh !== undefined) return await fresh.answer
    const answer = work()
    known.set(key, { askedAt, answer })
    answer.catch(() => known.delete(key))
    return await answer
  }
}
