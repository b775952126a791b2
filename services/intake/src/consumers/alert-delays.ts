import { type Bus, subscribe } from '@tripline/kit/bus/bus'
import { AlertsDelayed } from '@tripline/proto/executor-request'
import { alertsDelayedSubject } from '@tripline/proto/subject'
import type { Admission } from '../admission/admission.ts'

/** Notes what executors publish of alerts that wait. */
export function followDelays(bus: Bus, admission: Pick<Admission, 'delayed'>, clock: () => number): void {
  subscribe(bus, alertsDelayedSubject, (text) => {
    const report = readReport(bus, text)
    if (report === undefined) return
    const { executor, queue, partitions, ...delay } = report
    const source = `${executor} ${queue}`
    admission.delayed({ source, ...delay, partitions: new Set(partitions), isOfAll: true }, clock())
  })
}

function readReport(bus: Bus, text: string): AlertsDelayed | undefined {
  try {
    return AlertsDelayed.parse(JSON.parse(text))
  } catch (error) {
    bus.log.error({ err: error }, 'report of delays is not readable')
    return undefined
  }
}
