/** So long the first that waits, waits at the most: what a busy turn does first must not wait for its end. */
const longestMs = 1

/** Gathers messages to be written until the same turn of the event loop has brought the others. */
export interface FlushGate {
  /**
   * Whether what comes now is to be written now, with all that waits. True for the first urgent one of a turn, and once
   * another has waited a millisecond.
   */
  opens: (isUrgent: boolean) => boolean
}

/** Opens a gate; what waits is to be written `atEnd` of each turn too. A write costs more than what is in it. */
export function openFlushGate(atEnd: () => void): FlushGate {
  let isEndAwaited = false
  let mayHurry = true
  let waitingSince: number | undefined
  const endTick = (): void => {
    isEndAwaited = false
    mayHurry = true
    waitingSince = undefined
    atEnd()
  }
  return {
    opens: (isUrgent) => {
      if (!isEndAwaited) setImmediate(endTick)
      isEndAwaited = true
      waitingSince ??= performance.now()
      const isHurried = isUrgent && mayHurry
      if (isHurried) mayHurry = false
      if (!isHurried && performance.now() - waitingSince <= longestMs) return false
      waitingSince = undefined
      return true
    },
  }
}
