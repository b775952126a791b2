import type { Log } from '@tripline/kit/telemetry/log'
import { deleteExecutionsBefore } from './store/retention.ts'
import type { Db } from './store/tables.ts'

const dayMs = 86_400_000
const everyMs = 3_600_000

interface RetentionOptions {
  db: Db
  log: Log
  clock: () => number
  /** 0 keeps everything. */
  days: number
}

/** Deletes executions older than the retention, now and every hour; returns its stop function. */
export function keepRetention({ db, log, clock, days }: RetentionOptions): () => Promise<void> {
  if (days === 0) return async () => undefined
  const sweep = async (): Promise<void> => {
    try {
      const count = await deleteExecutionsBefore(db, clock() - days * dayMs)
      if (count > 0) log.info({ count, days }, 'old executions deleted')
    } catch (error) {
      log.warn({ err: error }, 'old executions not deleted, trying again later')
    }
  }
  let sweeping = sweep()
  const timer = setInterval(() => {
    sweeping = sweeping.then(sweep)
  }, everyMs)
  return async () => {
    clearInterval(timer)
    await sweeping
  }
}
