import { type Bus, connectBus, flush, subjectCount } from '@tripline/kit/bus/bus'
import { verifyStream } from '@tripline/kit/bus/streams'
import { openAddressList } from '@tripline/kit/http/address-list'
import { limitConnections } from '@tripline/kit/http/connection-limit'
import { type Door, openDoor } from '@tripline/kit/http/door'
import { buildHttp, type Http, listen } from '@tripline/kit/http/http'
import { createKeyedLimit } from '@tripline/kit/http/keyed-limit'
import type { HttpService } from '@tripline/kit/lifecycle'
import { openDatabase } from '@tripline/kit/postgres'
import { openRedis } from '@tripline/kit/redis'
import type { Log } from '@tripline/kit/telemetry/log'
import { openTracing } from '@tripline/kit/telemetry/open-tracing'
import { now } from '@tripline/kit/time/clock'
import { addressRange } from '@tripline/proto/address-range'
import { webhookBodyLimitBytes } from '@tripline/proto/http/webhook'
import { UserId } from '@tripline/proto/id'
import { alertSubject, streams } from '@tripline/proto/subject'
import { type Admission, createAdmission, unlimited } from './admission/admission.ts'
import { followOwnDelays, noDelays, type OwnDelays } from './admission/own-delays.ts'
import { newAlertId } from './alert-id.ts'
import { type Audit, auditTimes, keepAudit } from './audit/audit.ts'
import type { Config } from './config.ts'
import { followDelays } from './consumers/alert-delays.ts'
import { subscribeToDeliveries } from './consumers/deliveries.ts'
import { subscribeToEndedSessions } from './consumers/ended-sessions.ts'
import { serveReadings } from './consumers/read-message.ts'
import { serveReceipts } from './consumers/receipts.ts'
import { subscribeToResults } from './consumers/results.ts'
import { serveUsage } from './consumers/usage.ts'
import { type Webhooks, watchWebhooks } from './consumers/webhooks.ts'
import { exitShare, nearText } from './domain/quota.ts'
import { quotaNotice } from './domain/refused-event.ts'
import { createIntakeMetrics, type IntakeMetrics } from './metrics.ts'
import { openOwners } from './owner.ts'
import { addWebhookRoute, hangUpMs, type WebhookDeps } from './routes/webhook.ts'
import { openAcceptedLanes } from './store/accepted-lanes.ts'
import { type AlertRoom, openAlertRoom } from './store/alert-room.ts'
import { openAnswerRoom } from './store/answer-room.ts'
import { openErrorLimit } from './store/error-limit.ts'
import { openIdRoom } from './store/id-room.ts'
import { openIds } from './store/ids.ts'
import { askPatiently, type PatientRedis } from './store/patient-redis.ts'
import { openRateLimit } from './store/rate-limit.ts'
import { openReceipts, type Receipts } from './store/receipts.ts'
import { openRefusals } from './store/refusals.ts'
import { openRepeats } from './store/repeats.ts'
import { openResends } from './store/resends.ts'
import { openSenders } from './store/senders.ts'
import { openSpending } from './store/spending.ts'
import type { Db, Tables } from './store/tables.ts'
import { sentAtOnce } from './store/unanswered.ts'
import { openUserQueues } from './store/user-queues.ts'
import { openUserQuotas, type UserQuotas } from './store/user-quotas.ts'
import { openWaiting } from './store/waiting.ts'
import { warmUp } from './warm-up.ts'

export interface Surroundings {
  log: Log
  clock?: () => number
}

interface Deps extends WebhookDeps {
  redis: PatientRedis
  alertRoom: AlertRoom
  db: Db
  receipts: Receipts
  audit: Audit
}

// Answers that wait no longer than usual come to their end in this time.
const drainMs = 2500
const lastAnswersMs = 500
const lastReceiptsMs = 1000
// Intake serves without Redis, but where it is there the first alert should find it: connecting takes several answers.
const answersToConnect = 4

/** Starts intake; it is ready once it is on the bus and knows every webhook. */
export async function startIntake(config: Config, surroundings: Surroundings): Promise<HttpService> {
  const deps = await connect(config, surroundings)
  warmUp()
  const http = buildHttp({
    log: deps.log,
    bodyLimitBytes: webhookBodyLimitBytes,
    isReady: () => deps.bus.isReady() && deps.bus.hasStreams() && !door.isLeaving(),
    isAlive: deps.bus.isAlive,
    refusing: deps.bus.refusing,
    trustedProxies: config.TRUST_PROXY,
    metrics: deps.metrics.metrics,
  })
  const door = openDoor(http)
  limitConnections(http.server, {
    perAddress: config.CONNECTIONS_PER_ADDRESS,
    inAll: config.CONNECTIONS,
    trustedProxies: config.TRUST_PROXY,
    rangeOf: addressRange,
  })
  addWebhookRoute(http, deps)
  const stopAnswers = [
    serveReadings(deps.bus, deps.webhooks),
    serveUsage(deps),
    serveReceipts(deps.bus, deps.db),
  ]
  await flush(deps.bus)
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
  const redis = askPatiently(openRedis(redisUrl, prefix, log, { patienceMs, sentAtOnce }), log)
  const results = subscribeToResults(bus)
  const latestAnswerMs = Math.max(hangUpMs, config.RESULT_WAIT_MS)
  const deliveries = subscribeToDeliveries(bus, clock, latestAnswerMs)
  const [webhooks] = await Promise.all([watchWebhooks(bus), redis.connected(patienceMs * answersToConnect)])
  const lanes = openAcceptedLanes(redis)
  metrics.redis.follow(() => [[{}, redis.isThere() ? 1 : 0]])
  metrics.webhooks.follow(() => [[{}, webhooks.count()]])
  const rateLimit = openRateLimit(redis)
  const refusals = openRefusals(bus, clock)
  const alertRoom = await openAlertRoom(bus, config.EXPECTED_USERS)
  const quotas = openQuotas(config, { bus, redis, refusals, clock, alertRoom })
  const answerRoom = openAnswerRoom(redis, {
    ofUser: config.ANSWER_BYTES_PER_DAY,
    ofAll: config.ANSWER_BYTES_OF_ALL_PER_DAY,
  })
  const idRoom = await openIdRoom(bus, redis, {
    mostADay: config.IDS_PER_DAY,
    users: config.EXPECTED_USERS,
  })
  const db = openDatabase<Tables>(config.DATABASE_URL, 'intake', log)
  const receiptMetrics = { receipts: metrics.receipts, receiptFaults: metrics.receiptFaults }
  const receipting = openReceipting(config, { bus, db, clock, webhooks, ...receiptMetrics })
  const firstId: string = newAlertId(clock())
  const limiting = config.ADMISSION === 'on' ? openAdmission(bus, clock) : notLimiting
  results.onEach((alertId) => {
    const isOwn = quotas.release(alertId)
    // Older ones may be of a process that this one came for.
    if (isOwn || alertId > firstId) limiting.admission.executed(isOwn, clock())
  })
  return {
    log,
    bus,
    clock,
    metrics,
    redis,
    alertRoom,
    db,
    ...receipting,
    results,
    webhooks,
    refusals,
    rateLimit,
    ...limiting,
    sessionPerMinute: config.SESSION_MESSAGES_PER_MINUTE,
    errorLimit: openErrorLimit(rateLimit, config.REFUSED_PER_MINUTE),
    refusedPerMinute: config.REFUSED_PER_MINUTE,
    senders: openSenders(redis),
    lanes,
    resends: await openResends(redis, { lanes, deliveries }, clock),
    repeats: openRepeats(await openIds(bus, clock, idRoom), answerRoom, redis, clock),
    deliveries,
    latestAnswerMs,
    queues: openUserQueues(),
    quotas,
    resultWaitMs: config.RESULT_WAIT_MS,
    receiptWaitMs: config.RECEIPT_WAIT_MS,
    openRequests: createKeyedLimit(config.CONNECTIONS_PER_ADDRESS, 'requests from one address', () =>
      metrics.crowded.add({ of: 'requests' }),
    ),
    unknownTokensPerMinute: config.UNKNOWN_TOKENS_PER_MINUTE,
    takesTraces: config.TRACE_FROM_PROXY === 'on',
    isTradingview: openAddressList(config.TRADINGVIEW_ADDRESSES),
    isOwner: openOwners(bus, clock, subscribeToEndedSessions(bus, clock)),
  }
}

interface ReceiptingDeps {
  bus: Bus
  db: Db
  clock: () => number
  webhooks: Webhooks
  receipts: IntakeMetrics['receipts']
  receiptFaults: IntakeMetrics['receiptFaults']
}

/** Receipts and their audit; nothing waits for the database. */
function openReceipting(
  { RECEIPT_AUDIT_SECONDS: seconds, RECEIPT_RETENTION_DAYS: retentionDays }: Config,
  { bus, db, clock, webhooks, receipts: meters, receiptFaults }: ReceiptingDeps,
): { receipts: Receipts; audit: Audit } {
  const dropped = (count: number): void => meters.dropped.add({}, count)
  const receipts = openReceipts({ db, log: bus.log, clock, dropped })
  const times = auditTimes(seconds * 1000)
  const audit = keepAudit({ bus, db, clock, webhooks, metrics: { receiptFaults }, times, retentionDays })
  meters.waiting.follow(() => [[{}, receipts.waiting().count]])
  meters.open.follow(() => {
    const counts = audit.counts()
    return counts === undefined
      ? []
      : (['open', 'waiting'] as const).map((state) => [{ state }, counts[state]])
  })
  const startedAt = clock()
  meters.auditAge.follow(() => [[{}, (clock() - (audit.auditedAt() ?? startedAt)) / 1000]])
  return { receipts, audit }
}

interface Limiting {
  admission: Admission
  ownDelays: OwnDelays
}

const notLimiting: Limiting = { admission: unlimited, ownDelays: noDelays }

/** Admits what is executed in time, by what executors and this process report of alerts that wait. */
function openAdmission(bus: Bus, clock: () => number): Limiting {
  const admission = createAdmission()
  followDelays(bus, admission, clock)
  return { admission, ownDelays: followOwnDelays(admission, clock) }
}

function openQuotas(
  config: Config,
  {
    bus,
    redis,
    refusals,
    clock,
    alertRoom,
  }: Pick<Deps, 'bus' | 'redis' | 'refusals' | 'clock' | 'alertRoom'>,
): UserQuotas {
  const quotas = {
    bytesPerMinute: config.ALERT_BYTES_PER_MINUTE,
    commandsPerMinute: config.COMMANDS_PER_MINUTE,
    storedBytesPerDay: config.STORED_BYTES_PER_DAY,
    bytesWaiting: config.ALERT_BYTES_WAITING,
    commandsWaiting: config.COMMANDS_WAITING,
    alertsWaiting: streams.ALERTS.maxMessagesPerSubject / exitShare,
  }
  const countOf = async (userId: UserId): Promise<number> =>
    await subjectCount(bus, 'ALERTS', alertSubject(userId))
  const refusedBytes = config.REFUSED_BYTES_PER_DAY
  const ofRefusals = {
    ...quotas,
    bytesPerMinute: refusedBytes,
    storedBytesPerDay: refusedBytes,
  }
  const recordNear = (key: string, day: number): void => {
    const at = clock()
    const ids = { userId: UserId.parse(key), alertId: newAlertId(at) }
    refusals.record(quotaNotice(ids, day, nearText(quotas), at), undefined)
  }
  const spendings = {
    alerts: openSpending(redis, 'spent', quotas, recordNear),
    own: openSpending(redis, 'spent-own-refusals', ofRefusals),
    foreign: openSpending(redis, 'spent-foreign-refusals', ofRefusals),
  }
  return openUserQuotas(spendings, openWaiting(countOf, quotas, alertRoom), quotas, refusedBytes)
}

/** Lets what is under way be answered and takes nothing new. */
async function drain(http: Http, door: Door, { results, refusals, receipts, audit }: Deps): Promise<void> {
  http.server.close()
  await door.allAnswered(drainMs)
  // A caller that still waits for a result gets the answer that it is being executed.
  results.stop()
  await Promise.all([door.allAnswered(lastAnswersMs), refusals.allRecorded(lastAnswersMs)])
  await Promise.all([receipts.stop(lastReceiptsMs), audit.stop()])
}

async function disconnect({
  webhooks,
  resends,
  deliveries,
  alertRoom,
  ownDelays,
  redis,
  db,
  bus,
}: Deps): Promise<void> {
  webhooks.stop()
  resends.stop()
  deliveries.stop()
  alertRoom.stop()
  ownDelays.stop()
  await Promise.all([redis.stop(), bus.close(), db.destroy()])
  await bus.tracing?.stop()
}
