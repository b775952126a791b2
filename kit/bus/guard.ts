import type { Log } from '../telemetry/log.ts'
import type { BusMetrics } from '../telemetry/service-metrics.ts'

/** The log and the counter of failures. */
interface FailureNotes {
  log: Log
  metrics: BusMetrics | undefined
}

/** The message that a callback was called with. */
interface Handled {
  /** The subject that was subscribed to, or the stream: few, since it is a label of a metric. */
  subscription: string
  subject?: string
  sequence?: number
}

/**
 * Calls back, and keeps what that throws from the caller: it is logged and counted. Thrown into the client library, it
 * would end the reading of the connection, and with it every subscription of the process.
 */
export function guard({ log, metrics }: FailureNotes, handled: Handled, act: () => unknown): void {
  const fail = (error: unknown): void => {
    metrics?.failures.add({ subscription: handled.subscription })
    log.error({ err: error, ...handled }, 'message not handled')
  }
  try {
    const result = act()
    if (result instanceof Promise) result.catch(fail)
  } catch (error) {
    fail(error)
  }
}
