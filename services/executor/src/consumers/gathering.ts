/** Settles for all callers within this time together, when it is over: their messages then leave in one write. */
export function createGathering(forMs: number): () => Promise<void> {
  let over: Promise<void> | undefined
  return async () => {
    over ??= new Promise((resolve) => {
      setTimeout(() => {
        over = undefined
        resolve()
      }, forMs)
    })
    await over
  }
}
