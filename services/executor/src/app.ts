import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { getHeapStatistics } from 'node:v8'
import { type Bus, connectBus, flush } from '@tripline/kit/bus/bus'
import { serve } from '@tripline/kit/bus/request'
import { verifyStream } from '@tripline/kit/bus/streams'
import { readOpeningKeys } from '@tripline/kit/crypto/seal'
import { buildHttp, listen } from '@tripline/kit/http/http'
import { type HttpService, once } from '@tripline/kit/lifecycle'
import { openDatabase } from '@tripline/kit/postgres'
import type { Log } from '@tripline/kit/telemetry/log'
import { openTracing } from '@tripline/kit/telemetry/open-tracing'
import { ExchangeMarket } from '@tripline/proto/exchange'
import { drainExecutor } from '@tripline/proto/executor-request'
import type { UserId } from '@tripline/proto/id'
import type { Config } from './config.ts'
import { accountServer } from './consumers/account.ts'
import { createAlertConsumer } from './consumers/alerts.ts'
import { botDiagnosisServer } from './consumers/bot-diagnosis.ts'
import { answerKeyTests } from './consumers/key-test.ts'
import { answerPaperAccounts } from './consumers/paper-account.ts'
import { planServer } from './consumers/plan.ts'
import type { Hold, NumberedTenure } from './domain/sharing/lease.ts'
import { windowLimits } from './lanes/alert-memory.ts'
import { createExecutorMetrics, type ExecutorMetrics } from './metrics.ts'
import { type AlertDelays, noDelays, publishDelays } from './monitoring/alert-delays.ts'
import { createDoubts } from './monitoring/doubts.ts'
import { type DriftLog, openDriftLog } from './monitoring/drift-log.ts'
import { clientStateEmitter } from './monitoring/emit-client-state.ts'
import { followHoldings, followRollBacks } from './monitoring/follow-holdings.ts'
import { rehearse } from './run/rehearse.ts'
import { createRunMeters } from './run/run-meter.ts'
import { createMembers } from './sharing/members.ts'
import { createOwnership, type Ownership, type OwnershipOptions } from './sharing/ownership.ts'
import { type ProcessAddress, processAddress } from './sharing/process-address.ts'
import { createRollBacks, type RollBacks } from './sharing/roll-backs.ts'
import { openSideThread, type SideThread } from './side-thread/side-thread.ts'
import type { ThreadData } from './side-thread/tasks.ts'
import { type BotDirectory, openBotDirectory } from './store/bot-directory.ts'
import { openBusMarkStore } from './store/bus-mark-store.ts'
import type { Tables } from './store/database.ts'
import { openEntryStore } from './store/entry-store.ts'
import { type EpochStore, openEpochStore } from './store/epoch-store.ts'
import { openLeaseStore } from './store/lease-store.ts'
import { openMemberStore } from './store/member-store.ts'
import { openProgressStore } from './store/progress-store.ts'
import { openRecordStore } from './store/record-store.ts'
import { readRestoredMark } from './store/restored-mark.ts'
import { type AddressSettings, addressOf, type Network } from './venue/addresses.ts'
import { openConnections, type VenueConnections } from './venue/connections.ts'
import { createVenuePool, type PoolOptions, type VenuePool } from './venue/pool.ts'
import { createWatches } from './watching/watches.ts'

/** Time that a start waits for venues to rehearse on; it goes on without them. */
const preloadMs = 5000

/** An epoch's renewal that is not answered is sent again while the one before still counts. */
const epochLimits = { connections: 2, connectMs: 1000, statementMs: 1000, answerMs: 1000 }

/** Bytes of heap needed for each character of an alert that sleeps in a `wait` of its own. */
const heapPerHeldCharacter = 40

/** Reaction of the process to the loss of its ownership, and replacements that a test may give. */
export interface Overrides {
  onLeaseLost: () => void
  connect?: typeof connectBus
  connections?: VenueConnections
  decoratePool?: (pool: VenuePool) => VenuePool
  keyTiming?: PoolOptions['keyTiming']
  settleMs?: OwnershipOptions['settleMs']
}

/** Starts an executor: it owns its share of the partitions, and is ready once all partitions are served. */
export async function startExecutor(config: Config, log: Log, overrides: Overrides): Promise<HttpService> {
  const connect = overrides.connect ?? connectBus
  const metrics = createExecutorMetrics()
  const probes = { isReady: () => false, isAlive: () => true, refusing: (): readonly string[] => [] }
  // The port comes first: once this process has it, the process that had it before is gone.
  const server = buildHttp({
    log,
    bodyLimitBytes: 1024,
    isReady: () => probes.isReady(),
    isAlive: () => probes.isAlive(),
    refusing: () => probes.refusing(),
    metrics: metrics.metrics,
  })
  const http = await listen(server, config.HOST, config.PORT)
  const place = await processAddress(config.HOST, http.port)
  const { NATS_URL: url, NATS_NKEY_SEED: seed } = config
  const tracing = await openTracing('executor', config, log)
  const bus = await connect({ url, user: 'executor', seed, log, metrics: metrics.bus, tracing })
  probes.isAlive = bus.isAlive
  probes.refusing = bus.refusing
  await verifyStream(bus, 'ALERTS')
  const openForEpochs = () => openDatabase<Tables>(config.DATABASE_URL, 'executor', log, epochLimits)
  const epochStore = openEpochStore(openForEpochs)
  metrics.database.follow(() => [[{}, epochStore.isUp() ? 1 : 0]])
  const db = openDatabase<Tables>(config.DATABASE_URL, 'executor', log)
  const driftLog = openDriftLog(metrics, log)
  const sideThread = openSideThread(threadData(config), log)
  const rollBacks = createRollBacks({
    bus,
    marks: openBusMarkStore(db),
    readRestoredMark: async () => await readRestoredMark(bus),
    log,
  })
  followRollBacks(metrics, rollBacks)
  const surroundings = { bus, epochStore, place, metrics, sideThread, driftLog, rollBacks }
  const { ownership, pool, directory, owner, delays } = await join(config, log, overrides, surroundings)
  const stopAnswering = answerPaperAccounts(bus, config)
  const stopTesting = answerKeyTests(bus, sideThread)
  const handOver = once(ownership.stop)
  const stopServingDrains = serve(bus, drainExecutor(owner), async () => {
    log.info('drained')
    await handOver()
    return {}
  })
  await flush(bus)
  probes.isReady = () => bus.isReady() && ownership.isComplete()
  const rehearsalVenue = await pool.preload(preloadMs)
  if (rehearsalVenue !== undefined) await rehearse(rehearsalVenue, log)
  await rollBacks.start()
  await ownership.start()
  return {
    port: http.port,
    stop: once(async () => {
      stopAnswering()
      stopTesting()
      // The port is given back only now, when nothing is held any more: a successor there counts on that.
      await handOver()
      stopServingDrains()
      await rollBacks.stop()
      directory.stop()
      delays.stop()
      await db.destroy()
      await Promise.all([pool.close(), http.stop(), bus.close(), sideThread.stop()])
      driftLog.stop()
      await tracing?.stop()
    }),
  }
}

interface Parts {
  ownership: Ownership
  pool: VenuePool
  directory: BotDirectory
  /** The name of this process. */
  owner: string
  delays: AlertDelays
}

/** An executor's environment. */
interface Surroundings {
  bus: Bus
  epochStore: EpochStore
  place: ProcessAddress | undefined
  metrics: ExecutorMetrics
  sideThread: SideThread
  driftLog: DriftLog
  rollBacks: RollBacks
}

/** Joins what owns partitions with what serves them: each asks the other. */
async function join(
  config: Config,
  log: Log,
  overrides: Overrides,
  { bus, epochStore, place, metrics, sideThread, driftLog, rollBacks }: Surroundings,
): Promise<Parts> {
  const holdOf = (userId: UserId): Hold => ownership.holdOf(userId)
  const isHeld = (userId: UserId): boolean => holdOf(userId) === 'held'
  const tenureOf = (userId: UserId): NumberedTenure | undefined => ownership.tenureOf(userId)
  const epochOf = (userId: UserId): number | undefined => tenureOf(userId)?.epoch
  const owner = newName()
  const delays = config.ADMISSION === 'on' ? publishDelays(bus, owner) : noDelays
  const connections = overrides.connections ?? openConnections(delays.sent)
  const beforeReplacing = async (userId: UserId): Promise<void> => await ownership.breakOrder(userId)
  const judgeKey: PoolOptions['judgeKey'] = async ({ userId, bot: { id: botId, ...bot }, sealed }) =>
    await sideThread.judgeKey({ ...bot, userId, botId, sealed })
  const duties = { tenureOf, onClient: clientStateEmitter(bus, isHeld), beforeReplacing, judgeKey }
  const pool = createPool(config, log, { ...overrides, connections }, duties)
  const directory = await openBotDirectory(bus)
  const stores = await openStores(bus, holdOf)
  const { records, entries } = stores
  const doubts = createDoubts()
  const watching = createWatches({ bus, pool, records, entries, directory, holdOf, epochOf, doubts, log })
  const heapBytes = getHeapStatistics().heap_size_limit
  const characters = Math.min(config.MAX_HELD_WAIT_CHARACTERS, heapBytes / heapPerHeldCharacter)
  const waitLimits = { perUser: config.MAX_HELD_WAITS_PER_USER, characters }
  const served = { bus, pool, directory, log }
  const meters = createRunMeters(metrics, doubts)
  const maxResting = config.MAX_RESTING_PER_USER
  const running = { holdOf, tenureOf, watching, waitLimits, maxResting, meters, metrics }
  const consumer = createAlertConsumer({
    ...served,
    delays,
    ...stores,
    ...running,
    window: windowLimits(heapBytes),
    onRunThrough: (partition) => ownership.noteRunThrough(partition),
    breakOrder: async (userId, overtaken) => await ownership.breakOrder(userId, overtaken),
    forgetOvertaken: (userId, executionId) => ownership.forgetOvertaken(userId, executionId),
  })
  const ownership: Ownership = createOwnership({
    ...served,
    owner,
    place,
    members: createMembers(owner, await openMemberStore(bus), {
      log,
      driftsToday: driftLog.kindsToday,
      rolledBackAt: rollBacks.rolledBackAt,
    }),
    rollBacks,
    leases: await openLeaseStore(bus),
    epochStore,
    consumer,
    watches: {
      ...watching,
      claim: async (partitions) =>
        void (await Promise.all([watching.claim(partitions), entries.claim(partitions)])),
      leave: async (partition) => {
        await watching.leave(partition)
        entries.leave(partition)
      },
    },
    answerFor: [
      planServer({ ...served, entries, watching, sideThread }),
      botDiagnosisServer(served),
      accountServer(served),
    ],
    settleMs: overrides.settleMs,
    onLost: overrides.onLeaseLost,
  })
  delays.start(consumer.partitions)
  followHoldings(metrics, { bus, ownership, pool, watching, doubts, connections })
  return { ownership, pool, directory, owner, delays }
}

/** A name of its own, by which people find the machine or the pod. */
function newName(): string {
  const machine = hostname().replace(/[^a-zA-Z0-9-]/g, '-')
  return `${machine}-${randomUUID()}`
}

async function openStores(bus: Bus, holdOf: (userId: UserId) => Hold) {
  const [records, progress, entries] = await Promise.all([
    openRecordStore(bus, holdOf),
    openProgressStore(bus, holdOf),
    openEntryStore(bus, holdOf),
  ])
  return { records, progress, entries }
}

function addressSettings({ PAPER_URL, TRIPLINE_VENUES, VENUE_ADDRESSES }: Config): AddressSettings {
  return { paperUrl: PAPER_URL, venues: TRIPLINE_VENUES, book: VENUE_ADDRESSES }
}

function threadData(config: Config): ThreadData {
  const settings = addressSettings(config)
  const restOf = (market: ExchangeMarket) => (network: Network) => addressOf(settings, market, network).rest
  const restAddresses = Object.fromEntries(
    ExchangeMarket.options.map((market) => {
      const rest = restOf(market)
      return [market, { mainnet: rest('mainnet'), testnet: rest('testnet') }]
    }),
  ) as ThreadData['restAddresses']
  return { sealPrivateKeys: config.SEAL_PRIVATE_KEYS, restAddresses, ownAddresses: config.EGRESS_ADDRESSES }
}

function createPool(
  config: Config,
  log: Log,
  { connections, decoratePool, keyTiming }: Overrides & { connections: VenueConnections },
  duties: Pick<PoolOptions, 'tenureOf' | 'onClient' | 'beforeReplacing' | 'judgeKey'>,
): VenuePool {
  const pool = createVenuePool({
    addresses: addressSettings(config),
    openingKeys: readOpeningKeys(config.SEAL_PRIVATE_KEYS),
    orderSockets: config.ORDER_SOCKETS === 'on',
    connections,
    keyTiming,
    log,
    ...duties,
  })
  return decoratePool?.(pool) ?? pool
}
