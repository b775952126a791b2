import type { Server } from 'node:http'
import { type HttpService, once } from '@tripline/kit/lifecycle'
import { createLog, type Log } from '@tripline/kit/telemetry/log'
import { type Metrics, metricsContentType } from '@tripline/kit/telemetry/metrics'
import { meterProcess } from '@tripline/kit/telemetry/process-metrics'
import { type Clock, systemClock } from './clock.ts'
import type { Config } from './config.ts'
import { type Controlled, serveControl } from './control/serve.ts'
import { lastFunding } from './domain/funding.ts'
import { createExchange, type Exchange } from './exchange.ts'
import { serveInternal } from './internal/serve.ts'
import { meddlingBy } from './meddling.ts'
import { createPaperExchangeMetrics } from './metrics.ts'
import { createFaults, type Faults } from './store/faults.ts'
import { createJournal } from './store/journal.ts'
import { createLateness } from './store/lateness.ts'
import { createLedger } from './store/ledger.ts'
import { createQuotes } from './store/quotes.ts'
import { forgetful, openStateFile } from './store/state-file.ts'
import { startTicking } from './ticking.ts'
import { routeOf } from './wire/bases.ts'
import { type Answer, type Incoming, json, type Reply, type Wire } from './wire/message.ts'
import { createOpenSockets } from './wire/open-sockets.ts'
import { type OpenVenues, openVenues } from './wire/open-venues.ts'
import { createHttp } from './wire/server.ts'
import { type KeepAlive, type SocketRoute, serveSockets, VENUE_KEEP_ALIVE } from './wire/socket-server.ts'

const OK = json(200, { status: 'ok' })
const NOT_FOUND = json(404, { detail: 'Not found' })
const FAULT = json(500, { detail: 'Something went wrong.' })

/** Starts the paper exchange: one port for the venues' wires, the product's own call, and in local mode `/control`. */
export async function startPaperExchange(
  config: Config,
  overrides: { clock?: Clock; keepAlive?: KeepAlive } = {},
): Promise<HttpService> {
  const clock = overrides.clock ?? systemClock()
  const log = createLog('paper-exchange', config.LOG_LEVEL)
  const [journal, faults, sockets] = [createJournal(), createFaults(), createOpenSockets()]
  const { exchange, closeState } = openExchange(config, clock, faults, log)
  const [stopping, limits] = [new AbortController(), config.PAPER_LIMITS]
  const { metrics, requests } = createPaperExchangeMetrics(() => exchange.ledger.entries.size)
  const lateness = createLateness(config.PAPER_SEED, config.PAPER_READ_LAG_MS)
  const behind = {
    exchange,
    journal,
    faults,
    lateness,
    clock,
    log,
    limits,
    sockets,
    stopping: stopping.signal,
  }
  const venues = openVenues({ ...behind, onRequest: requests.add })
  const own = serveOwn(config, { exchange, journal, faults, clock, provoke: venues.provoke })
  // It leans on nobody.
  meterProcess(metrics, () => true)
  const server = createHttp(clock, guarded(log, serveAll(venues, own, metrics)))
  const keepAlive = overrides.keepAlive ?? VENUE_KEEP_ALIVE
  const served = serveSockets({ server, clock, log, sockets, route: socketRouteOf(venues), keepAlive })
  const stopTicking = startTicking(config.PAPER_TICK_MS, () => moveOn(exchange, clock, log))
  const stopFunding = startTicking(FUNDING_CHECK_MS, () => fund(exchange, clock, log))
  const port = await listen(server, config.HOST, config.PORT)
  log.info({ port, accounts: exchange.ledger.entries.size }, 'listening')
  const stop = once(async () => {
    stopTicking()
    stopFunding()
    stopping.abort()
    served.close()
    await close(server)
    closeState()
  })
  return { port, stop }
}

/** The exchange as it was left, with faults that act inside it. */
function openExchange(config: Config, clock: Clock, faults: Faults, log: Log) {
  const { PAPER_DATA_DIR: folder, PAPER_SEED: seed, PAPER_PRICES: centers } = config
  const [ledger, quotes] = [createLedger(), createQuotes({ seed, centers })]
  const onUnwritten = (error: unknown) => log.error({ err: error }, 'the state is not written yet')
  const state = folder ? openStateFile(folder, ledger, quotes, clock.nowMs(), onUnwritten) : forgetful
  // Funding that came due while nobody traded here is not paid.
  const fundedAt = lastFunding(clock.nowMs())
  const exchange = createExchange(ledger, quotes, state.writer, { meddling: meddlingBy(faults), fundedAt })
  return { exchange, closeState: state.close }
}

// A step that fails leaves the prices where they are; the next one is tried all the same.
function moveOn(exchange: Exchange, clock: Clock, log: Log): void {
  try {
    exchange.move(clock.nowMs())
  } catch (error) {
    log.error({ err: error }, 'prices did not move')
  }
}

const FUNDING_CHECK_MS = 250

function fund(exchange: Exchange, clock: Clock, log: Log): void {
  try {
    exchange.fund(clock.nowMs())
  } catch (error) {
    log.error({ err: error }, 'funding was not paid')
  }
}

/** Ends a request that fails where it must not, so that it takes nothing else with it. */
function guarded(log: Log, serve: Wire): Wire {
  return (incoming, reply) => {
    try {
      serve(incoming, reply)
    } catch (error) {
      log.error({ err: error, path: incoming.path }, 'request failed')
      reply.send(FAULT)
    }
  }
}

/** Sends each request to the venue it is for; what is no venue's is answered by `own`. */
function serveAll(venues: OpenVenues, own: (incoming: Incoming) => Answer, metrics: Metrics): Wire {
  return (incoming, reply) => {
    const routed = routeOf(incoming.path, hostOf(incoming))
    if (routed === undefined && incoming.path === '/metrics') return void serveMetrics(metrics, reply)
    if (routed === undefined) return reply.send(own(incoming))
    const { wire, path } = routed
    const venue = venues.of(wire)
    if (venue === undefined) return reply.send(NOT_FOUND)
    venue.http(path === incoming.path ? incoming : { ...incoming, path }, reply)
  }
}

async function serveMetrics(metrics: Metrics, reply: Reply): Promise<void> {
  reply.send({
    status: 200,
    body: await metrics.read(),
    headers: { 'Content-Type': metricsContentType },
  })
}

function hostOf({ headers }: Incoming): string | undefined {
  const host = headers['host']
  return typeof host === 'string' ? host : undefined
}

function socketRouteOf(venues: OpenVenues) {
  return (path: string, host: string | undefined): SocketRoute | undefined => {
    const routed = routeOf(path, host)
    const open = routed && venues.of(routed.wire)?.sockets
    return open && { ...routed, open }
  }
}

/** Everything that is no venue: probes, the product's own call, and control where it is allowed. */
function serveOwn(config: Config, controlled: Controlled): (incoming: Incoming) => Answer {
  const controllable = config.TRIPLINE_MODE === 'local' || config.PAPER_CONTROL === 'on'
  return (incoming) => {
    const { path } = incoming
    if (path === '/livez' || path === '/readyz') return OK
    if (path.startsWith('/internal/')) return serveInternal(controlled, config.INTERNAL_TOKEN, incoming)
    return controllable && path.startsWith('/control/') ? serveControl(controlled, incoming) : NOT_FOUND
  }
}

async function listen(server: Server, host: string, port: number): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  return address.port
}

async function close(server: Server): Promise<void> {
  await new Promise<void>((resolve) => {
    server.close(() => resolve())
    server.closeAllConnections()
  })
}
