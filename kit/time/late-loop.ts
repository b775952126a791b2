import { steadyNow } from './clock.ts'

/** Interval of looking how late the process is. */
const lookMs = 25
/** Shorter delays are of no interest to anybody. */
const reportedFromMs = 50
/** A turn is late by its work where the loop waited for nothing in this part of it: one with time left keeps up. */
const busyFrom = 0.9
/** Time whose busy part is reported. */
const busySpanMs = 1000

/**
 * Reports how late the turns of this process's event loop are, in ms, while two in a row are late by their work: one alone is a
 * pause, behind which nothing stands. Reports with it the part of the last second in which the loop waited for nothing: more
 * work than in that is done where all of a second is busy. Returns what stops that.
 */
export function reportLateLoop(report: (delayMs: number, busyPart: number) => void): () => void {
  let before = 0
  let dueAt = steadyNow() + lookMs
  let use = performance.eventLoopUtilization()
  const uses = [{ at: steadyNow(), use }]
  const looking = setInterval(() => {
    const at = steadyNow()
    const isBusy = performance.eventLoopUtilization(use).utilization >= busyFrom
    use = performance.eventLoopUtilization()
    uses.push({ at, use })
    while (uses[1] !== undefined && uses[1].at <= at - busySpanMs) uses.shift()
    const lateMs = isBusy ? at - dueAt : 0
    const delayMs = Math.round(Math.min(before, lateMs))
    before = lateMs
    dueAt = at + lookMs
    if (delayMs >= reportedFromMs)
      report(delayMs, performance.eventLoopUtilization(use, uses[0]?.use).utilization)
  }, lookMs).unref()
  return () => clearInterval(looking)
}
