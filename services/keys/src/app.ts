import { openBucket } from '@tripline/kit/bus/bucket'
import { connectBus, flush } from '@tripline/kit/bus/bus'
import { readKeks } from '@tripline/kit/crypto/envelope'
import { buildHttp, listen } from '@tripline/kit/http/http'
import type { HttpService } from '@tripline/kit/lifecycle'
import { openDatabase, watchDatabase } from '@tripline/kit/postgres'
import { createLog, type Log } from '@tripline/kit/telemetry/log'
import type { Config } from './config.ts'
import {
  serveCreateCloseOnly,
  serveDeleteCloseOnly,
  serveGetCloseOnly,
  serveRegenerateCloseOnly,
} from './consumers/close-only.ts'
import { serveCreateBot } from './consumers/create-bot.ts'
import { serveDeleteBot } from './consumers/delete-bot.ts'
import { serveGetWebhook } from './consumers/get-webhook.ts'
import { serveListBots } from './consumers/list-bots.ts'
import { serveGetNotification, serveUpdateNotification } from './consumers/notification.ts'
import { serveRegenerateWebhook } from './consumers/regenerate-webhook.ts'
import { serveRenewWebhook } from './consumers/renew-webhook.ts'
import { serveResetBot } from './consumers/reset-bot.ts'
import { serveTestBot } from './consumers/test-bot.ts'
import { serveGetTrading, serveUpdateTrading } from './consumers/trading.ts'
import { serveUpdateBot } from './consumers/update-bot.ts'
import { serveUpdateWebhook } from './consumers/update-webhook.ts'
import { serveGetUserTrading, serveUpdateUserTrading } from './consumers/user-trading.ts'
import type { Deps } from './deps.ts'
import { createKeysMetrics, type KeysMetrics } from './metrics.ts'
import type { Tables } from './store/database.ts'
import { startSweeper } from './sweeper.ts'

const consumers = [
  serveCreateBot,
  serveListBots,
  serveUpdateBot,
  serveDeleteBot,
  serveResetBot,
  serveTestBot,
  serveGetTrading,
  serveUpdateTrading,
  serveGetUserTrading,
  serveUpdateUserTrading,
  serveGetWebhook,
  serveUpdateWebhook,
  serveRegenerateWebhook,
  serveRenewWebhook,
  serveGetCloseOnly,
  serveCreateCloseOnly,
  serveRegenerateCloseOnly,
  serveDeleteCloseOnly,
  serveGetNotification,
  serveUpdateNotification,
]

/** Serves the requests of keys and keeps the buckets up to date until stopped; the port is for the probes. */
export async function startKeys(config: Config, overrides: { log?: Log } = {}): Promise<HttpService> {
  const log = overrides.log ?? createLog('keys', config.LOG_LEVEL)
  const metrics = createKeysMetrics()
  const deps = await connect(config, log, metrics)
  const { bus, db } = deps
  const database = watchDatabase(db, log)
  metrics.database.follow(() => [[{}, database.isUp() ? 1 : 0]])
  const subscriptions = consumers.map((answerRequest) => answerRequest(deps))
  await flush(bus)
  const sweeper = startSweeper(deps)
  const isReady = (): boolean => bus.isReady() && database.isUp()
  const { isAlive, refusing } = bus
  const http = buildHttp({ log, bodyLimitBytes: 1024, isReady, isAlive, refusing, metrics: metrics.metrics })
  const server = await listen(http, config.HOST, config.PORT)
  const stop = async (): Promise<void> => {
    for (const unsubscribe of subscriptions) unsubscribe()
    database.stop()
    await Promise.all([server.stop(), sweeper.stop()])
    await db.destroy()
    await bus.close()
  }
  return { port: server.port, stop }
}

async function connect(config: Config, log: Log, metrics: KeysMetrics): Promise<Deps> {
  const { NATS_URL: url, NATS_NKEY_SEED: seed } = config
  const bus = await connectBus({ url, user: 'keys', seed, log, metrics: metrics.bus })
  return {
    bus,
    db: openDatabase<Tables>(config.DATABASE_URL, 'keys', log),
    log,
    configs: await openBucket(bus, 'config'),
    credentials: await openBucket(bus, 'credentials'),
    notifications: await openBucket(bus, 'notifications'),
    keks: readKeks(config.KEK),
    allowMainnetFutures: config.ALLOW_MAINNET_FUTURES,
    maxBotsPerUser: config.MAX_BOTS_PER_USER,
    paperAccountsPerDay: config.PAPER_ACCOUNTS_PER_DAY,
  }
}
