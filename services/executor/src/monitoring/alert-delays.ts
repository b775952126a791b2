import { type Bus, publish } from '@tripline/kit/bus/bus'
import { steadyNow } from '@tripline/kit/time/clock'
import { reportLateLoop } from '@tripline/kit/time/late-loop'
import { reportStandingDelay } from '@tripline/kit/time/standing-delay'
import { createThroughput } from '@tripline/kit/time/throughput'
import type { AlertsDelayed } from '@tripline/proto/executor-request'
import { alertsDelayedSubject } from '@tripline/proto/subject'
import { createSilence } from './silence.ts'

/** Notes how long alerts and orders wait, in ms. */
export interface AlertDelays {
  /** From the storing of an alert until it was taken. */
  taken: (delayMs: number) => void
  /** Until a request to an exchange had a free connection. */
  sent: (delayMs: number) => void
  /** An alert has been executed. */
  executed: () => void
  /** A partition was claimed: what is late behind that waited for an owner. */
  claimed: () => void
  /** Has what is noted published as that of these partitions; before that it is of nobody's alerts. */
  start: (partitions: () => number[]) => void
  /** Nothing is published any more: the bus may be closed. */
  stop: () => void
}

const ignore = (): void => undefined
/** Notes nothing. */
export const noDelays: AlertDelays = {
  taken: ignore,
  sent: ignore,
  executed: ignore,
  claimed: ignore,
  start: ignore,
  stop: ignore,
}

/** Publishes that new alerts wait in an executor, as long as they do. */
export function publishDelays(bus: Bus, executor: string, readNow: () => number = steadyNow): AlertDelays {
  const throughput = createThroughput()
  const silence = createSilence(readNow)
  let served: (() => number[]) | undefined
  const delayed = (message: Pick<AlertsDelayed, 'queue' | 'delayMs' | 'perSecond'>): void => {
    const partitions = served?.() ?? []
    if (partitions.length === 0 || silence.isKept()) return
    const mostPerSecond = throughput.mostPerSecond()
    const whole: AlertsDelayed = { executor, partitions, mostPerSecond, ...message }
    publish(bus, alertsDelayedSubject, JSON.stringify(whole))
  }
  // Turns and requests are no alerts: what leaves them is what is executed.
  const delayedBy = (queue: 'loop' | 'requests', delayMs: number, busyPart = 1): void =>
    delayed({ queue, delayMs, perSecond: throughput.perSecond() / busyPart })
  const stopLooking = reportLateLoop((delayMs, busyPart) => delayedBy('loop', delayMs, busyPart))
  return {
    start: (partitions) => {
      served = partitions
    },
    // Stored by the clock of the bus, and taken by ours.
    taken: reportStandingDelay((delay) => delayed({ queue: 'alerts', ...delay }), true),
    sent: reportStandingDelay(({ delayMs }) => delayedBy('requests', delayMs)),
    executed: throughput.count,
    claimed: silence.extend,
    stop: () => {
      served = undefined
      stopLooking()
    },
  }
}
