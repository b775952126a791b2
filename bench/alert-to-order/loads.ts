import { setTimeout as sleep } from 'node:timers/promises'
import type { Shot } from './rows.ts'

/** A way of sending alerts, whatever row they go through. */
export interface Load {
  name: string
  /** The number of alerts that are sent together. */
  atOnce: number
  run: (send: () => Promise<Shot>) => Promise<Shot[]>
}

const betweenBurstsMs = 60

/** So many alerts a second, evenly, whether or not the earlier ones are answered. */
export function steady(perSecond: number, count: number): Load {
  return {
    name: `${perSecond}/s`,
    atOnce: 1,
    run: async (send) => {
      const startedAt = performance.now()
      const shots: Promise<Shot>[] = []
      for (let index = 0; index < count; index++) {
        const dueInMs = startedAt + (index * 1000) / perSecond - performance.now()
        if (dueInMs > 0) await sleep(dueInMs)
        const shot = send()
        // The waiter for all of them gets the failure.
        shot.catch(() => undefined)
        shots.push(shot)
      }
      return await allOf(shots)
    },
  }
}

/** So many alerts at once, again after all of them were answered. */
export function bursts(size: number, times: number): Load {
  return {
    name: `burst of ${size}`,
    atOnce: size,
    run: async (send) => {
      const shots: Shot[] = []
      for (let index = 0; index < times; index++) {
        shots.push(...(await allOf(Array.from({ length: size }, send))))
        await sleep(betweenBurstsMs)
      }
      return shots
    },
  }
}

/** All of them, or the first failure once none is under way any more: the next load must not meet this one's rest. */
async function allOf(shots: readonly Promise<Shot>[]): Promise<Shot[]> {
  await Promise.allSettled(shots)
  return await Promise.all(shots)
}
