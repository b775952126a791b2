import { steadyNow } from '@tripline/kit/time/clock'
import { reportLateLoop } from '@tripline/kit/time/late-loop'
import { reportStandingDelay } from '@tripline/kit/time/standing-delay'
import { createThroughput } from '@tripline/kit/time/throughput'
import { partitionCount } from '@tripline/proto/subject'
import type { Admission } from './admission.ts'

const partitions: ReadonlySet<number> = new Set(Array.from({ length: partitionCount }, (_, index) => index))

/** A process that has only begun is late since it begins, and does not know what it can do. */
const beginningMs = 10_000

/** Delays of alerts in this process. */
export interface OwnDelays {
  /** Notes that an alert was stored, with the time since its receipt in ms where no other one of its user held it up. */
  stored: (ms: number | undefined) => void
  stop: () => void
}

/** Notes nothing. */
export const noDelays: OwnDelays = { stored: () => undefined, stop: () => undefined }

/** Limits what is admitted where alerts wait to be read, or to be stored. */
export function followOwnDelays(admission: Pick<Admission, 'delayed'>, clock: () => number): OwnDelays {
  const begunAt = steadyNow()
  const throughput = createThroughput()
  const delayedBy = (source: string, delayMs: number): void => {
    if (steadyNow() - begunAt < beginningMs) return
    const mostPerSecond = throughput.mostPerSecond()
    admission.delayed({ source, partitions, delayMs, mostPerSecond, isOfAll: false }, clock())
  }
  const noteStoring = reportStandingDelay(({ delayMs }) => delayedBy('storing', delayMs))
  return {
    stored: (ms) => {
      throughput.count()
      if (ms !== undefined) noteStoring(ms)
    },
    stop: reportLateLoop((delayMs) => delayedBy('event loop', delayMs)),
  }
}
