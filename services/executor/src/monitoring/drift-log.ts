import type { Log } from '@tripline/kit/telemetry/log'
import { now } from '@tripline/kit/time/clock'
import type { ExecutorMetrics } from '../metrics.ts'
import { type Drift, onDrift } from '../venue/read/drift.ts'

/** So many kinds of drift are distinguished on a day; names that a venue chooses must not fill memory, metrics or the log. */
const mostKinds = 500
const other = 'other'
const dayMs = 86_400_000

/** Log of what the venues sent today that was new or could not be read. */
export interface DriftLog {
  /** Count of its kinds since midnight (UTC). */
  kindsToday: () => number
  stop: () => void
}

/** Counts every drift, and logs the first of each kind a day with its shape. */
export function openDriftLog(metrics: Pick<ExecutorMetrics, 'drifts'>, log: Log, clock = now): DriftLog {
  let day = 0
  let kinds = new Set<string>()
  const kindsOf = (at: number): Set<string> => {
    const today = Math.floor(at / dayMs)
    if (today !== day) kinds = new Set()
    day = today
    return kinds
  }
  const note = (drift: Drift): void => {
    const { venue, call, field, value } = drift
    const known = kindsOf(clock())
    const kind = [venue, call, field, value].join(' ')
    const isFull = known.size >= mostKinds && !known.has(kind)
    metrics.drifts.add(isFull ? { venue, call: other, field: other } : { venue, call, field })
    if (known.has(kind) || isFull) return
    known.add(kind)
    log.warn(drift, 'the exchange sent something that is new or cannot be read')
  }
  const stop = onDrift(note)
  return { kindsToday: () => kindsOf(clock()).size, stop }
}
