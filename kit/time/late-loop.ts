import { steadyNow } from './clock.ts'

/** Interval of looking how late the process is. */
const lookMs = 25
/** Shorter delays are of no interest to anybody. */
const reportedFromMs = 50
/** A turn is late by its work where the loop waited for nothing in this part of it: one with time left keeps up. */
const busyPart = 0.9

/**
 * Reports how late the turns of this process's event loop are, in ms, while two in a row are late by their work: one alone is a
 * pause, behind which nothing stands. Returns what stops that.
 */
export function reportLateLoop(report: (delayMs: number) => void): () => void {
  let before = 0
  let dueAt = steadyNow() + lookMs
  let use = performance.eventLoopUtilization()
  const looking = setInterval(() => {
    const at = steadyNow()
    const isBusy = performance.eventLoopUtilization(use).utilization >= busyPart
    use = performance.eventLoopUtilization()
    const lateMs = isBusy ? at - dueAt : 0
    const delayMs = Math.round(Math.min(before, lateMs))
    before = lateMs
    dueAt = at + lookMs
    if (delayMs >= reportedFromMs) report(delayMs)
  }, lookMs).unref()
  return () => clearInterval(looking)
}
