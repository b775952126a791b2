import { randomBytes } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { parseBusUrl } from '@tripline/kit/bus/bus-address'
import { type Closers, closers as newClosers } from '../closers.ts'
import { freePort } from '../infra/free-port.ts'
import { temporaryFolder } from '../infra/temporary-folder.ts'
import { rootDir } from '../paths.ts'
import { waitUntil } from '../wait-until.ts'
import { buildWeb } from './build-web.ts'
import { type Infrastructure, type OnInfrastructureChange, startInfrastructure } from './infrastructure.ts'
import { localKeys } from './local-keys.ts'
import { compileCache, type ServiceProcess, serviceProcess } from './service-process.ts'
import { keepWarning } from './service-warnings.ts'
import {
  type ServiceName,
  type Surroundings,
  serviceFolder,
  serviceNames,
  serviceSettings,
} from './services.ts'
import { setup } from './setup.ts'

/** The options of a product; nothing is required for a test. */
export interface ProductOptions {
  /** Without one it is a temporary folder. */
  dataDir?: string
  ports?: { web?: number; paper?: number }
  /** For a test: everything is empty at the beginning and nothing is left at the end. */
  ephemeral?: boolean
  /** Has what the bus acknowledges on the disk; of an ephemeral product it is left to the operating system unless this is set. */
  syncsBus?: boolean
  /** Servers that can be stopped (`servers`), whatever addresses the environment gives. */
  ownServers?: boolean
  /** A bus of the caller's, and how many copies of each stream it holds. */
  bus?: { url: string; replicas: number }
  /** More settings for every service. */
  env?: Record<string, string>
  services?: readonly ServiceName[]
  onLine?: (service: ServiceName, line: string) => void
  onDeath?: (service: ServiceName, how: string) => void
  /** Changes of our own servers, which are started again as services are. */
  onServerChange?: OnInfrastructureChange
  /** Callback for lines that no log file took. */
  onLogFault?: (error: Error) => void
  /** Shows a phase of the work while it runs. */
  phase?: <T>(label: string, work: () => Promise<T>) => Promise<T>
  /** Receives the acts that end things, for a caller that may have to end it half-started. */
  closers?: Closers
}

/** The addresses of everything that listens. */
export interface ProductUrls {
  web: string
  paper: string
  intake: string
  services: Record<ServiceName, string>
}

/** The running product. */
export interface Product {
  readonly urls: ProductUrls
  readonly dataDir: string
  readonly servers: Infrastructure
  /** The settings that a service was started with. */
  settings(service: ServiceName): Record<string, string>
  /** Ends a service with a signal, SIGKILL by default, and leaves it ended. */
  kill(service: ServiceName, signal?: NodeJS.Signals): Promise<void>
  stopService(service: ServiceName): Promise<void>
  /** Starts a service again, stopped in order before if it still runs; resolves once it is ready. */
  restart(service: ServiceName): Promise<void>
  stop(): Promise<void>
}

const startDeadlineMs = 60_000
const mostDeathsAtStart = 3

// Tests and benchmarks count on prices that stand still, and send as much as they can from one address.
const stillMarket = { PAPER_TICK_MS: '0', PAPER_LIMITS: 'off' }

// They also ask again and again until something has come, as one user.
const roomyBudget = { UNITS_PER_USER_MINUTE: '1000000' }

// All users of a started product reach the paper exchange from one address, which its limits are not made for.
function movingMarket() {
  const { PAPER_TICK_MS = '500', PAPER_LIMITS = 'off' } = process.env
  return { PAPER_TICK_MS, PAPER_LIMITS }
}

// A product that is thrown away afterwards must not trade anywhere.
const paperVenues = { TRIPLINE_VENUES: 'paper', VENUE_ADDRESSES: '{}', OKX: 'off' }

function chosenVenues() {
  const { TRIPLINE_VENUES = 'live', VENUE_ADDRESSES = '{}', OKX = 'off' } = process.env
  return { TRIPLINE_VENUES, VENUE_ADDRESSES, OKX }
}

/** Starts the whole product, each service as its own process; resolves once an alert can be executed. */
export async function startProduct(options: ProductOptions = {}): Promise<Product> {
  const closers = options.closers ?? newClosers()
  try {
    return await start(options, closers)
  } catch (error) {
    await closers.close()
    throw error
  }
}

async function start(options: ProductOptions, closers: Closers): Promise<Product> {
  const { phase = (_label, work) => work(), ephemeral = false, ownServers = false } = options
  const { onServerChange: onChange = () => undefined, syncsBus = !ephemeral } = options
  const dataDir = options.dataDir ?? (await scratchFolder(closers))
  await mkdir(dataDir, { recursive: true })
  const servers = await phase('started PostgreSQL, NATS, Redis and the mailbox', () =>
    startInfrastructure({
      dataDir,
      ephemeral,
      syncsBus,
      ownServers,
      busUrl: options.bus?.url,
      closers,
      onChange,
    }),
  )
  const around = await phase('prepared schemas, streams and keys', () =>
    surroundings(options, dataDir, servers),
  )
  const names = options.services ?? serviceNames
  if (names.includes('gateway')) await buildWeb(phase)
  const deaths = countDeaths()
  const onDeath: ProductOptions['onDeath'] = (service, how) => {
    options.onDeath?.(service, how)
    deaths.add(service, how)
  }
  const processes = serviceProcesses({ ...options, onDeath }, dataDir, around)
  await closers.add(() => stopInOrder(processes))
  await phase('started services', () =>
    Promise.race([deaths.tooMany, startServices(names, processes, around)]),
  )
  await writePorts(dataDir, around, closers)
  return product(options, { dataDir, servers, around, processes, closers })
}

async function startServices(
  names: readonly ServiceName[],
  processes: Record<ServiceName, ServiceProcess>,
  around: Surroundings,
): Promise<void> {
  await Promise.all(names.map((name) => processes[name].start()))
  const pages = names.map((name) => readiness(name, around))
  if (names.includes('gateway')) pages.push(`${local(around.ports.gateway)}/api/health`)
  await Promise.all(pages.map(waitUntilOk))
}

/** Fails when one service keeps dying: it is broken, and waiting for it only hides that. */
function countDeaths(): { tooMany: Promise<never>; add(service: ServiceName, how: string): void } {
  const { promise: tooMany, reject } = Promise.withResolvers<never>()
  // Later, when nobody waits any more, it is no news.
  tooMany.catch(() => {})
  const counts = new Map<ServiceName, number>()
  const add = (service: ServiceName, how: string) => {
    const count = (counts.get(service) ?? 0) + 1
    counts.set(service, count)
    if (count === mostDeathsAtStart)
      reject(new Error(`${service} does not start: it ended with ${how}, ${count} times`))
  }
  return { tooMany, add }
}

/** Publishes to scripts where everything listens, for as long as it does. */
async function writePorts(
  dataDir: string,
  { ports, natsUrl }: Surroundings,
  closers: Closers,
): Promise<void> {
  const file = path.join(dataDir, 'ports.json')
  const nats = parseBusUrl(natsUrl).servers.join(',')
  await writeFile(file, `${JSON.stringify({ ...ports, nats }, undefined, 2)}\n`)
  await closers.add(() => rm(file, { force: true }))
}

async function scratchFolder(closers: Closers): Promise<string> {
  const { folder, remove } = await temporaryFolder()
  await closers.add(remove)
  return folder
}

async function surroundings(
  options: ProductOptions,
  dataDir: string,
  servers: Infrastructure,
): Promise<Surroundings> {
  const ports = await choosePorts(options)
  const { postgres, nats, redis, mailbox } = servers
  const replicas = options.bus?.replicas
  const databaseUrls = await setup({ dataDir, databaseUrl: postgres.url, natsUrl: nats.url, replicas })
  return {
    ports,
    databaseUrls,
    natsUrl: nats.url,
    redisUrl: redis.url,
    redisPrefix: options.ephemeral ? `${randomBytes(6).toString('hex')}:` : 'tripline:',
    publicUrl: process.env['PUBLIC_URL'] ?? `http://localhost:${ports.gateway}`,
    smtpUrl: mailbox.url,
    mailboxUrl: mailbox.mailsUrl,
    webDir: path.join(rootDir, 'web/dist'),
    site: siteWords(),
    paperDataDir: path.join(dataDir, 'paper-exchange'),
    budget: options.ephemeral ? roomyBudget : {},
    paper: options.ephemeral ? stillMarket : movingMarket(),
    venues: options.ephemeral ? paperVenues : chosenVenues(),
    keys: localKeys(dataDir),
  }
}

// A product on one's own machine has nobody to write to; these show where the real ones stand.
function siteWords() {
  const { CONTACT_EMAIL = 'contact@tripline.local', COMMUNITY_URL = 'https://t.me' } = process.env
  return { CONTACT_EMAIL, COMMUNITY_URL }
}

async function choosePorts({ ports = {} }: ProductOptions): Promise<Record<ServiceName, number>> {
  const fixed: Partial<Record<ServiceName, number | undefined>> = {
    gateway: ports.web,
    'paper-exchange': ports.paper,
  }
  const chosen: Partial<Record<ServiceName, number>> = {}
  for (const name of serviceNames) chosen[name] = fixed[name] ?? (await freePort())
  return chosen as Record<ServiceName, number>
}

function serviceProcesses(options: ProductOptions, dataDir: string, around: Surroundings) {
  const one = (name: ServiceName): ServiceProcess =>
    serviceProcess({
      name,
      folder: serviceFolder(name),
      dataDir,
      env: environment(name, options, around),
      onLine: (line) => {
        if (options.ephemeral) keepWarning(name, line)
        options.onLine?.(name, line)
      },
      onDeath: (how) => {
        if (options.ephemeral) keepWarning(name, `died: ${how}`)
        options.onDeath?.(name, how)
      },
      onLogFault: (error) => options.onLogFault?.(error),
    })
  return Object.fromEntries(serviceNames.map((name) => [name, one(name)])) as Record<
    ServiceName,
    ServiceProcess
  >
}

/** The settings of a service, wherever it is started from. */
function settingsOf(name: ServiceName, around: Surroundings, more: ProductOptions['env']) {
  return { ...compileCache, ...serviceSettings(name, around), ...more }
}

/** Returns the inherited variables (proxies, certificates, switches), without the launcher's own settings. */
function environment(name: ServiceName, { env }: ProductOptions, around: Surroundings): NodeJS.ProcessEnv {
  const { DATABASE_URL: _1, NATS_URL: _2, REDIS_URL: _3, PORT: _4, ...inherited } = process.env
  return { ...inherited, TRIPLINE_MODE: 'local', ...settingsOf(name, around, env) }
}

async function stopInOrder(processes: Record<ServiceName, ServiceProcess>): Promise<void> {
  // Services that take alerts end first, so that the executor's clean release has an end; the others lean on nobody.
  const [gateway, intake, executor, ...others] = serviceNames
  for (const name of [gateway, intake, executor]) await processes[name].stop()
  await Promise.all(others.map((name) => processes[name].stop()))
}

function readiness(name: ServiceName, { ports }: Surroundings): string {
  return `${local(ports[name])}/readyz`
}

async function waitUntilOk(page: string): Promise<void> {
  let last = 'no answer'
  const isOk = async () => {
    const response = await fetch(page, { signal: AbortSignal.timeout(5000) })
    last = `${response.status} ${await response.text()}`
    return response.status === 200
  }
  await waitUntil(isOk, { deadlineMs: startDeadlineMs, intervalMs: 50 }).catch((cause) => {
    throw new Error(`${page} did not become ready; its last answer: ${last}`, { cause })
  })
}

function local(port: number): string {
  return `http://127.0.0.1:${port}`
}

interface Parts {
  dataDir: string
  servers: Infrastructure
  around: Surroundings
  processes: Record<ServiceName, ServiceProcess>
  closers: Closers
}

function product(options: ProductOptions, { dataDir, servers, around, processes, closers }: Parts): Product {
  const urls = urlsOf(around)
  const restart = async (name: ServiceName) => {
    await processes[name].stop()
    await processes[name].start()
    await waitUntilOk(readiness(name, around))
  }
  return {
    urls,
    dataDir,
    servers,
    settings: (name) => settingsOf(name, around, options.env),
    kill: (name, signal = 'SIGKILL') => processes[name].kill(signal),
    stopService: (name) => processes[name].stop(),
    restart,
    stop: () => closers.close(),
  }
}

function urlsOf({ ports }: Surroundings): ProductUrls {
  const services = Object.fromEntries(serviceNames.map((name) => [name, local(ports[name])]))
  return {
    web: local(ports.gateway),
    paper: local(ports['paper-exchange']),
    intake: local(ports.intake),
    services: services as Record<ServiceName, string>,
  }
}
