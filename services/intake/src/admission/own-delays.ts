import { reportLateLoop } from '@tripline/kit/time/late-loop'
import { reportStandingDelay } from '@tripline/kit/time/standing-delay'
import { partitionCount } from '@tripline/proto/subject'
import type { Admission } from './admission.ts'

const partitions: ReadonlySet<number> = new Set(Array.from({ length: partitionCount }, (_, index) => index))

/** Delays of alerts in this process. */
export interface OwnDelays {
  /** Notes how long it took from an alert's receipt until it was stored, in ms. */
  stored: (ms: number) => void
  stop: () => void
}

/** Limits what is admitted where alerts wait to be read, or to be stored. */
export function followOwnDelays(admission: Pick<Admission, 'delayed'>, clock: () => number): OwnDelays {
  const delayedBy = (source: string, delayMs: number): void =>
    admission.delayed({ source, partitions, delayMs }, clock())
  return {
    stored: reportStandingDelay(({ delayMs }) => delayedBy('storing', delayMs)),
    stop: reportLateLoop((delayMs) => delayedBy('event loop', delayMs)),
  }
}
