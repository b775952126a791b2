import { setImmediate as inputTaken } from 'node:timers/promises'
import { now } from '@tripline/kit/clock'

/** Orders go first: what nobody waits for stands aside while an alert is on its way to the exchange. */
export interface RightOfWay {
  /** One more is on its way; answers how to say that it arrived, which it has after the longest time anyway. */
  enter: () => () => void
  /** Settles when none is on its way, one caller after the other, or after the longest time. */
  clear: () => Promise<void>
}

/** Opens a way on which nobody is; nothing stands aside for longer than this. */
export function createRightOfWay(longestMs: number): RightOfWay {
  const aside: { go: () => void; until: number }[] = []
  let ahead = 0
  let isReleasing = false
  const release = async (): Promise<void> => {
    if (isReleasing) return
    isReleasing = true
    for (let [first] = aside; first !== undefined; [first] = aside) {
      const isOverdue = now() >= first.until
      if (ahead > 0 && !isOverdue) break
      aside.shift()
      first.go()
      // An alert that came in meanwhile has the way again.
      if (!isOverdue) await inputTaken()
    }
    isReleasing = false
  }
  return {
    enter: () => {
      ahead++
      let isOn = true
      const leave = (): void => {
        clearTimeout(timer)
        if (!isOn) return
        isOn = false
        ahead--
        if (ahead === 0) void release()
      }
      const timer = setTimeout(leave, longestMs).unref()
      return leave
    },
    clear: async () => {
      if (ahead === 0 && aside.length === 0) return
      await new Promise<void>((go) => {
        aside.push({ go, until: now() + longestMs })
        setTimeout(() => void release(), longestMs).unref()
      })
    },
  }
}
