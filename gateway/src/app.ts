import fastifyCompress from '@fastify/compress'
import { type Bus, connectBus } from '@tripline/kit/bus/bus'
import { readSealingKeys, type SealingKey } from '@tripline/kit/crypto/seal'
import { keepSigningKeys, type SigningKeys } from '@tripline/kit/crypto/signing-keys'
import { limitConnections } from '@tripline/kit/http/connection-limit'
import { openDoor } from '@tripline/kit/http/door'
import { buildHttp, type Http, type HttpOptions, listen } from '@tripline/kit/http/http'
import { acquireUntilClosed, createKeyedLimit } from '@tripline/kit/http/keyed-limit'
import type { HttpService } from '@tripline/kit/lifecycle'
import { createLog, type Log } from '@tripline/kit/telemetry/log'
import { openTracing } from '@tripline/kit/telemetry/open-tracing'
import { now, steadyNow } from '@tripline/kit/time/clock'
import { addressRange } from '@tripline/proto/address-range'
import { listSigningKeys } from '@tripline/proto/auth-request'
import { registerAccess } from './access/access.ts'
import { createBudget } from './access/budget.ts'
import { type EndedSessions, subscribeToEndedSessions } from './access/ended-sessions.ts'
import { apiRoutes } from './api-routes.ts'
import { type Ask, askOver } from './ask.ts'
import type { Config } from './config.ts'
import { securityHeaders } from './domain/security-headers.ts'
import { createHealthCheck } from './health/service-health.ts'
import { createGatewayMetrics, type GatewayMetrics, meterRequests } from './metrics.ts'
import { typedByZod } from './routes/api.ts'
import { apiReaderRoutes } from './routes/api-reader.ts'
import { mailboxRoutes } from './routes/mailbox.ts'
import { registerOpenapi } from './routes/openapi.ts'
import { webAppRoutes } from './routes/web-app.ts'
import { webhookPath, webhookRoutes } from './routes/webhook.ts'
import { openStreams, type Streams } from './stream/streams.ts'
import { createForwarder, type Forwarder } from './webhook/forwarder.ts'

// Requests are JSON of a few fields; alerts do not pass through this limit.
const bodyLimitBytes = 64 * 1024
const settleMs = 3000

interface Pieces {
  bus: Bus
  ask: Ask
  ended: EndedSessions
  streams: Streams
  forwarder: Forwarder
  headers: Record<string, string>
}

/** Starts the one door for browsers. */
export async function startGateway(config: Config, overrides: { log?: Log } = {}): Promise<HttpService> {
  const log = overrides.log ?? createLog('gateway', config.LOG_LEVEL)
  const sealingKeys = {
    executor: firstSealingKey(config.SEAL_PUBLIC_KEYS),
    notifier: firstSealingKey(config.NOTIFIER_SEAL_PUBLIC_KEYS),
  }
  const metrics = createGatewayMetrics()
  const { NATS_URL: url, NATS_NKEY_SEED: seed } = config
  const tracing = await openTracing('gateway', config, log)
  const bus = await connectBus({ url, user: 'gateway', seed, log, metrics: metrics.bus, tracing })
  const pieces = await join(config, bus, metrics)
  const trustedProxies = config.TRUST_PROXY
  const isReady = (): boolean => bus.isReady() && !door.isLeaving()
  const { isAlive } = bus
  const http = buildHttp({ log, bodyLimitBytes, isReady, isAlive, trustedProxies })
  const door = openDoor(http)
  limitConnections(http.server, {
    perAddress: config.CONNECTIONS_PER_ADDRESS,
    inAll: config.CONNECTIONS,
    trustedProxies: config.TRUST_PROXY,
    rangeOf: addressRange,
  })
  meterRequests(http, metrics)
  await addRoutes(http, config, pieces, sealingKeys, metrics)
  const stopMetrics = await serveMetrics(config, metrics, { log, isReady })
  const { port, stop } = await listen(http, config.HOST, config.PORT)
  return {
    port,
    stop: async () => {
      await door.announceEnd(config.END_NOTICE_MS)
      http.server.close()
      pieces.streams.endAll()
      await door.allAnswered(settleMs)
      await stop()
      await stopMetrics()
      pieces.streams.stop()
      pieces.forwarder.close()
      await bus.close()
      await tracing?.stop()
    },
  }
}

/** Serves metrics on a port of their own: the other one is public. Returns its stop function. */
async function serveMetrics(
  { HOST, METRICS_PORT }: Config,
  { metrics }: GatewayMetrics,
  about: Pick<HttpOptions, 'log' | 'isReady'>,
): Promise<() => Promise<void>> {
  if (METRICS_PORT === undefined) return async () => undefined
  const { stop } = await listen(buildHttp({ ...about, bodyLimitBytes: 1024, metrics }), HOST, METRICS_PORT)
  return stop
}

function firstSealingKey(setting: string): SealingKey {
  const [first] = readSealingKeys(setting)
  if (first === undefined) throw new Error('A setting of public keys to seal with holds none')
  return first
}

async function join(config: Config, bus: Bus, metrics: GatewayMetrics): Promise<Pieces> {
  const ask = askOver(bus)
  const headers = securityHeaders(config.PUBLIC_URL.startsWith('https:'))
  const ended = subscribeToEndedSessions(bus, now)
  const onRefused = (): void => metrics.crowded.add({ of: 'streams' })
  const streams = await openStreams(config, { bus, ask, ended, headers, onRefused })
  metrics.streams.follow(() => [
    [{ audience: 'own' }, streams.own.count()],
    [{ audience: 'everybody' }, streams.everybody.count()],
  ])
  return {
    bus,
    ask,
    ended,
    streams,
    forwarder: createForwarder(config.INTAKE_URL, bus),
    headers,
  }
}

async function addRoutes(
  http: Http,
  config: Config,
  { ask, ended, streams, forwarder, headers }: Pieces,
  sealingKeys: Record<'executor' | 'notifier', SealingKey>,
  metrics: GatewayMetrics,
): Promise<void> {
  const checkHealth = createHealthCheck({ urls: config.HEALTH_URLS, now, timeoutMs: 1000, freshMs: 250 })
  // One media type for bodies: a form of another site cannot send it unasked.
  http.removeContentTypeParser('text/plain')
  http.addHook('onRequest', async (request, reply) => {
    reply.headers({ ...headers, 'x-request-id': request.id, 'cache-control': 'no-store' })
  })
  limitOpenRequests(http, config, metrics)
  await http.register(fastifyCompress, { encodings: ['br', 'gzip'] })
  await registerOpenapi(http, config.PUBLIC_URL)
  apiReaderRoutes(http)
  const budget = createBudget(config.UNITS_PER_USER_MINUTE, steadyNow)
  const access = await registerAccess(http, signingKeysOf(ask), ended, budget)
  const api = typedByZod(http)
  const { PUBLIC_URL: publicUrl, EGRESS_ADDRESSES = '' } = config
  const egressAddresses = EGRESS_ADDRESSES.split(/[\s,]+/).filter(Boolean)
  apiRoutes(api, {
    ask,
    access,
    streams,
    sealingKeys,
    checkHealth,
    publicUrl,
    egressAddresses,
    isOkxOn: config.OKX === 'on',
  })
  if (config.TRIPLINE_MODE === 'local' && config.MAILBOX_URL) mailboxRoutes(api, config.MAILBOX_URL)
  webhookRoutes(http, forwarder)
  if (config.WEB_DIR !== undefined) await webAppRoutes(http, config.WEB_DIR, config)
}

/** Refuses requests of one address beyond its limit: behind a proxy, a connection does not show whose it is. */
function limitOpenRequests(http: Http, config: Config, { crowded }: GatewayMetrics): void {
  const openRequests = createKeyedLimit(config.CONNECTIONS_PER_ADDRESS, 'requests from one address', () =>
    crowded.add({ of: 'requests' }),
  )
  http.addHook('onRequest', async (request, reply) => {
    // Intake does the same for alerts, and knows which addresses send those of many people.
    if (request.routeOptions.url !== webhookPath)
      acquireUntilClosed(openRequests, addressRange(request.ip), reply.raw)
  })
}

function signingKeysOf(ask: Ask): SigningKeys {
  const fetchKeys = async (): Promise<Record<string, unknown>[]> => (await ask(listSigningKeys, {})).keys
  return keepSigningKeys({ fetchKeys, now, floorMs: 1000, maxAgeMs: 600_000 })
}
