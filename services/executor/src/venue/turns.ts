/** Turns of the event loop that are asked for by many. */
export type Turns = (isUrgent?: () => boolean) => Promise<void>

interface Asker {
  isUrgent: () => boolean
  begin: () => void
}

/** Gives everybody who asks a turn of the event loop of their own, in the order of asking; who is in haste comes first. */
export function createTurns(): Turns {
  const asking: Asker[] = []
  let last: Promise<void> = Promise.resolve()
  const next = async (): Promise<void> => {
    await new Promise<void>((resolve) => setImmediate(resolve))
    const urgent = asking.findIndex(({ isUrgent }) => isUrgent())
    const [asker] = asking.splice(Math.max(urgent, 0), 1)
    asker?.begin()
  }
  return async (isUrgent = () => false) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    asking.push({ isUrgent, begin: resolve })
    last = last.then(next)
    await promise
  }
}
