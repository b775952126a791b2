import type { Log } from './telemetry/log.ts'

/** Anything that runs until it is stopped; stopping twice is stopping once. */
export interface Service {
  stop: () => Promise<void>
}

/** The same promise however often it is called. */
export function once(act: () => Promise<void>): () => Promise<void> {
  let acting: Promise<void> | undefined
  return async () => {
    acting ??= act()
    await acting
  }
}

/** A service with an HTTP port. */
export interface HttpService extends Service {
  port: number
}

/** Stops the service on SIGTERM or SIGINT and ends the process, at the latest after the grace time. */
export function stopOnSignal(service: Service, log: Log, { graceMs }: { graceMs: number }): void {
  let stopping = false
  const stop = (signal: NodeJS.Signals): void => {
    if (stopping) return
    stopping = true
    log.info({ signal }, 'stopping')
    const overdue = setTimeout(() => endProcess(log, 1, 'stopped late'), graceMs)
    service.stop().then(
      () => {
        clearTimeout(overdue)
        endProcess(log, 0, 'stopped')
      },
      (error: unknown) => {
        log.error({ err: error }, 'could not stop cleanly')
        endProcess(log, 1, 'stopped with a fault')
      },
    )
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}

function endProcess(log: Log, code: number, message: string): void {
  log.info({ code }, message)
  log.flush()
  process.exit(code)
}
