import { connectBus, flush } from '@tripline/kit/bus/bus'
import { consumeDurably } from '@tripline/kit/bus/durable-consumer'
import { buildHttp, listen } from '@tripline/kit/http/http'
import type { HttpService } from '@tripline/kit/lifecycle'
import { openDatabase, watchDatabase } from '@tripline/kit/postgres'
import { createLog, type Log } from '@tripline/kit/telemetry/log'
import { openTracing } from '@tripline/kit/telemetry/open-tracing'
import { now } from '@tripline/kit/time/clock'
import type { Config } from './config.ts'
import { serveAlertEnds } from './consumers/alert-ends.ts'
import { createTakeEvents } from './consumers/event.ts'
import { serveExecutions } from './consumers/execution.ts'
import { createHistoryMetrics } from './metrics.ts'
import { keepRetention } from './retention.ts'
import type { Tables } from './store/tables.ts'

interface Overrides {
  log?: Log
  clock?: () => number
}

/** Starts the projection of events and the answers about it; Postgres may come later. */
export async function startHistory(config: Config, overrides: Overrides = {}): Promise<HttpService> {
  const log = overrides.log ?? createLog('history', config.LOG_LEVEL)
  const clock = overrides.clock ?? now
  const metrics = createHistoryMetrics()
  const { NATS_URL: url, NATS_NKEY_SEED: seed } = config
  const tracing = await openTracing('history', config, log)
  const bus = await connectBus({ url, user: 'history', seed, log, metrics: metrics.bus, tracing })
  const db = openDatabase<Tables>(config.DATABASE_URL, 'history', log)
  const database = watchDatabase(db, log)
  metrics.database.follow(() => [[{}, database.isUp() ? 1 : 0]])
  const consuming = await consumeDurably(bus, {
    durable: 'to-history',
    onBatch: createTakeEvents({ db, log, metrics }),
    metrics: metrics.consumer,
  })
  const stopDeleting = keepRetention({ db, log, clock, days: config.RETENTION_DAYS })
  const stopAnswering = [serveExecutions(bus, db, clock), serveAlertEnds(bus, db, consuming.progress)]
  await flush(bus)
  const http = buildHttp({
    log,
    bodyLimitBytes: 1024,
    isReady: () => bus.isReady() && database.isUp() && !consuming.isStuck(),
    isAlive: bus.isAlive,
    metrics: metrics.metrics,
  })
  const { port, stop: stopListening } = await listen(http, config.HOST, config.PORT)
  const stop = async (): Promise<void> => {
    for (const stopServing of stopAnswering) stopServing()
    database.stop()
    await consuming.stop()
    await stopDeleting()
    await stopListening()
    await bus.close()
    await bus.tracing?.stop()
    await db.destroy()
  }
  return { port, stop }
}
