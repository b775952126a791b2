import { type Bus, publish } from '@tripline/kit/bus/bus'
import { reportLateLoop } from '@tripline/kit/time/late-loop'
import { reportStandingDelay } from '@tripline/kit/time/standing-delay'
import type { AlertsDelayed } from '@tripline/proto/executor-request'
import { alertsDelayedSubject } from '@tripline/proto/subject'

/** Notes how long alerts and orders wait, in ms. */
export interface AlertDelays {
  /** From the storing of an alert until it was taken. */
  taken: (delayMs: number) => void
  /** Until a request to an exchange had a free connection. */
  sent: (delayMs: number) => void
  stop: () => void
}

/** Publishes that new alerts wait in an executor, as long as they do. */
export function publishDelays(
  bus: Bus,
  { executor, partitions }: { executor: string; partitions: () => number[] },
): AlertDelays {
  const delayed = (message: Pick<AlertsDelayed, 'queue' | 'delayMs' | 'perSecond'>): void => {
    const whole: AlertsDelayed = { executor, partitions: partitions(), ...message }
    publish(bus, alertsDelayedSubject, JSON.stringify(whole))
  }
  return {
    taken: reportStandingDelay((delay) => delayed({ queue: 'alerts', ...delay })),
    // What else waits is not counted in alerts.
    sent: reportStandingDelay(({ delayMs }) => delayed({ queue: 'requests', delayMs })),
    stop: reportLateLoop((delayMs) => delayed({ queue: 'loop', delayMs })),
  }
}
