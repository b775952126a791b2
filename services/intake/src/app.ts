import { type Bus, connectBus, heard } from '@tripline/kit/bus'
import { now } from '@tripline/kit/clock'
import { type Door, openDoor } from '@tripline/kit/door'
import { buildHttp, type Http, listen } from '@tripline/kit/http'
import type { HttpService } from '@tripline/kit/lifecycle'
import type { Log } from '@tripline/kit/log'
import { openRedis } from '@tripline/kit/redis'
import { verifyStream } from '@tripline/kit/streams'
import { openTracing } from '@tripline/kit/trace'
import { openAddressList } from './address-list.ts'
import type { Config } from './config.ts'
import { hearEndedSessions } from './consumers/ended-sessions.ts'
import { answerReadings } from './consumers/read-message.ts'
import { hearResults } from './consumers/results.ts'
import { answerUsage } from './consumers/usage.ts'
import { watchWebhooks } from './consumers/webhooks.ts'
import { createIntakeMetrics } from './metrics.ts'
import { openOwners } from './owner.ts'
import { addWebhookRoute, bodyLimitBytes, type WebhookDeps } from './routes/webhook.ts'
import { askPatiently, type PatientRedis } from './store/patient-redis.ts'
import { openRateLimit } from './store/rate-limit.ts'
import { openRefusals } from './store/refusals.ts'
import { openRepeats } from './store/repeats.ts'
import { openResends } from './store/resends.ts'
import { openSenders } from './store/senders.ts'
import { openTurns } from './store/turns.ts'
import { warmUp } from './warm-up.ts'

export interface Surroundings {
  log: Log
  clock?: () => number
}

interface Deps extends WebhookDeps {
  redis: PatientRedis
}

// Answers that wait no longer than usual come to their end in this time.
const drainMs = 2500
const lastAnswersMs = 500
// Intake serves without Redis, but where it is there the first alert should find it: connecting takes several answers.
const answersToConnect = 4

/** Starts intake; it is ready once it is on the bus and knows every webhook. */
export async function startIntake(config: Config, surroundings: Surroundings): Promise<HttpService> {
  const deps = await connect(config, surroundings)
  warmUp()
  const http = buildHttp({
    log: deps.log,
    bodyLimitBytes,
    isReady: () => deps.bus.isConnected() && !door.isLeaving(),
    trustedProxies: config.TRUST_PROXY,
    metrics: deps.metrics.metrics,
  })
  const door = openDoor(http)
  addWebhookRoute(http, deps)
  const stopAnswers = [answerReadings(deps.bus, deps.webhooks), answerUsage(deps)]
  await heard(deps.bus)
  const server = await listen(http, config.HOST, config.PORT)
  let stopped: Promise<void> | undefined
  const stop = async (): Promise<void> => {
    await door.announceEnd(config.END_NOTICE_MS)
    for (const stopAnswering of stopAnswers) stopAnswering()
    await drain(http, door, deps)
    await server.stop()
    await disconnect(deps)
  }
  return {
    port: server.port,
    stop: async () => {
      stopped ??= stop()
      await stopped
    },
  }
}

async function connect(config: Config, { log, clock = now }: Surroundings): Promise<Deps> {
  const metrics = createIntakeMetrics()
  const tracing = await openTracing('intake', config, log)
  const bus: Bus = await connectBus({
    url: config.NATS_URL,
    user: 'intake',
    seed: config.NATS_NKEY_SEED,
    log,
    metrics: metrics.bus,
    tracing,
  })
  await verifyStream(bus, 'ALERTS')
  const { REDIS_URL: redisUrl, REDIS_PREFIX: prefix, REDIS_PATIENCE_MS: patienceMs } = config
  const redis = askPatiently(openRedis(redisUrl, prefix, log, { patienceMs }), log)
  const results = hearResults(bus)
  const [webhooks] = await Promise.all([watchWebhooks(bus), redis.connected(patienceMs * answersToConnect)])
  metrics.redis.follow(() => [[{}, redis.isThere() ? 1 : 0]])
  metrics.webhooks.follow(() => [[{}, webhooks.count()]])
  return {
    log,
    bus,
    clock,
    metrics,
    redis,
    results,
    webhooks,
    refusals: openRefusals(bus),
    rateLimit: openRateLimit(redis),
    senders: openSenders(redis),
    resends: await openResends(redis, clock),
    repeats: openRepeats(redis, clock),
    turns: openTurns(),
    resultWaitMs: config.RESULT_WAIT_MS,
    unknownTokensPerMinute: config.UNKNOWN_TOKENS_PER_MINUTE,
    takesTraces: config.TRACE_FROM_PROXY === 'on',
    isTradingview: openAddressList(config.TRADINGVIEW_ADDRESSES),
    isOwner: openOwners(bus, clock, hearEndedSessions(bus, clock)),
  }
}

/** Lets what is under way be answered and takes nothing new. */
async function drain(http: Http, door: Door, { results, refusals }: Deps): Promise<void> {
  http.server.close()
  await door.allAnswered(drainMs)
  // Who still waits for a result is answered that it is being executed.
  results.stop()
  await Promise.all([door.allAnswered(lastAnswersMs), refusals.settled(lastAnswersMs)])
}

async function disconnect({ webhooks, resends, redis, bus }: Deps): Promise<void> {
  webhooks.stop()
  resends.stop()
  await Promise.all([redis.stop(), bus.close()])
  await bus.tracing?.stop()
}
