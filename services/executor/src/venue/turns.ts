/** Gives everybody who asks a turn of the event loop of their own, in the order of asking. */
export function createTurns(): () => Promise<void> {
  let last: Promise<void> = Promise.resolve()
  return () => {
    last = last.then(async () => await new Promise<void>((resolve) => setImmediate(resolve)))
    return last
  }
}
