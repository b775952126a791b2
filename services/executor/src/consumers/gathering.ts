/** Settles for all who ask within this time together, when it is over: what they send then leaves in one write. */
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
