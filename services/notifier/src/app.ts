import { openBucket } from '@tripline/kit/bus/bucket'
import { connectBus, flush } from '@tripline/kit/bus/bus'
import { consumeDurably } from '@tripline/kit/bus/durable-consumer'
import { readOpeningKeys } from '@tripline/kit/crypto/seal'
import { buildHttp, listen } from '@tripline/kit/http/http'
import type { HttpService } from '@tripline/kit/lifecycle'
import { openDatabase, watchDatabase } from '@tripline/kit/postgres'
import { createLog, type Log } from '@tripline/kit/telemetry/log'
import { openTracing } from '@tripline/kit/telemetry/open-tracing'
import { now } from '@tripline/kit/time/clock'
import type { Config } from './config.ts'
import { serveGetDelivery } from './consumers/delivery.ts'
import { takeEvents } from './consumers/event.ts'
import { serveFindMessages } from './consumers/message.ts'
import { type Settings, watchSettings } from './consumers/settings.ts'
import { serveTestMessages } from './consumers/test-message.ts'
import type { Deps } from './deps.ts'
import { createNotifierMetrics, type NotifierMetrics } from './metrics.ts'
import { startSending } from './sender.ts'
import { restartDeliveries, restartDelivery } from './store/delivery.ts'
import type { Tables } from './store/tables.ts'
import { openAndSend } from './telegram/open-and-send.ts'

/** Starts to notify users of what their bots did; Postgres may come later. */
export async function startNotifier(config: Config, overrides: { log?: Log } = {}): Promise<HttpService> {
  const log = overrides.log ?? createLog('notifier', config.LOG_LEVEL)
  const metrics = createNotifierMetrics()
  const { deps, settings } = await connect(config, log, metrics)
  const { bus, db } = deps
  const database = watchDatabase(db, log)
  metrics.database.follow(() => [[{}, database.isUp() ? 1 : 0]])
  const consuming = await consumeDurably(bus, {
    durable: 'to-notifier',
    onBatch: async (batch) => await takeEvents({ ...deps, onAlarm: () => metrics.alarms.add({}) }, batch),
    metrics: metrics.consumer,
  })
  const stopAnswering = [serveGetDelivery(deps), serveFindMessages(deps), serveTestMessages(deps)]
  await flush(bus)
  const sender = startSending(deps)
  const isReady = (): boolean => bus.isReady() && database.isUp() && !consuming.isStuck()
  const { isAlive } = bus
  const http = buildHttp({ log, bodyLimitBytes: 1024, isReady, isAlive, metrics: metrics.metrics })
  const { port, stop: stopListening } = await listen(http, config.HOST, config.PORT)
  const stop = async (): Promise<void> => {
    for (const stopOne of stopAnswering) stopOne()
    database.stop()
    settings.stop()
    await consuming.stop()
    await Promise.all([sender.stop(), stopListening()])
    await bus.close()
    await bus.tracing?.stop()
    await db.destroy()
  }
  return { port, stop }
}

async function connect(
  config: Config,
  log: Log,
  metrics: NotifierMetrics,
): Promise<{ deps: Deps; settings: Settings }> {
  const { NATS_URL: url, NATS_NKEY_SEED: seed } = config
  const tracing = await openTracing('notifier', config, log)
  const bus = await connectBus({ url, user: 'notifier', seed, log, metrics: metrics.bus, tracing })
  const db = openDatabase<Tables>(config.DATABASE_URL, 'notifier', log)
  const isoNow = (): string => new Date(now()).toISOString()
  const warn = (error: unknown): void =>
    log.warn({ err: error }, 'deliveries wait on although settings changed')
  const settings = await watchSettings(bus, (userId) => {
    const movedAt = isoNow()
    restartDelivery(db, userId, { now: movedAt, begunAt: movedAt }).catch(warn)
  })
  // Settings may have changed while nobody listened.
  void restartDeliveries(db, isoNow()).catch(warn)
  const telegram = { apiUrl: config.TELEGRAM_API_URL, timeoutMs: config.TELEGRAM_TIMEOUT_MS }
  const sendMessage = openAndSend(readOpeningKeys(config.SEAL_PRIVATE_KEYS), telegram)
  const send: typeof sendMessage = async (of, html) => {
    const sending = await sendMessage(of, html)
    metrics.messages.add({ outcome: sending.outcome })
    return sending
  }
  const notifications = await openBucket(bus, 'notifications')
  return { deps: { config, bus, db, log, notifications, settingsOf: settings.of, send }, settings }
}
