import { setImmediate as turn } from 'node:timers/promises'

/** Turns of the event loop that are asked for by many. */
export type EventLoopYield = (rank?: () => number) => Promise<void>

interface Asker {
  rank: () => number
  begin: () => void
}

/**
 * Gives those who ask their turns of the event loop, so many in one: who has the lowest rank first, and of equal ones who
 * asked first.
 */
export function createEventLoopYield(perTurn: number): EventLoopYield {
  const asking: Asker[] = []
  let isGiving = false
  const give = async (): Promise<void> => {
    isGiving = true
    while (asking.length > 0) {
      // The second comes behind what those that began last have due.
      await turn()
      await turn()
      for (let begun = 0; begun < perTurn; begun++) takeFirst(asking)?.begin()
    }
    isGiving = false
  }
  return async (rank = () => 0) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    asking.push({ rank, begin: resolve })
    if (!isGiving) void give()
    await promise
  }
}

function takeFirst(asking: Asker[]): Asker | undefined {
  const ranks = asking.map(({ rank }) => rank())
  return asking.splice(ranks.indexOf(Math.min(...ranks)), 1)[0]
}
