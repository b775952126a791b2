/** A store of answers by key, which callers share. */
export interface SharedAnswers<Value> {
  /** Returns what is on its way, or came lately; otherwise the answer of the work. */
  ask: (key: string, work: () => Promise<Value>) => Promise<Value>
  /** Has the next caller work anew. */
  forget: (key: string) => void
}

/**
 * Creates a store whose answers are shared until they are so old, by a clock in ms; failures are not stored. Older answers
 * are dropped at the next request.
 */
export function sharedAnswers<Value>(freshMs: number, clock: () => number): SharedAnswers<Value> {
  const known = new Map<string, { askedAt: number; answer: Promise<Value> }>()
  return {
    ask: async (key, work) => {
      const askedAt = clock()
      for (const [other, { askedAt: at }] of known) if (askedAt - at >= freshMs) known.delete(other)
      const fresh = known.get(key)
      if (fresh !== undefined) return await fresh.answer
      const asked = { askedAt, answer: work() }
      known.set(key, asked)
      asked.answer.catch(() => known.get(key) === asked && known.delete(key))
      return await asked.answer
    },
    forget: (key) => void known.delete(key),
  }
}
