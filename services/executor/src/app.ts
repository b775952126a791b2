import { randomUUID } from 'node:crypto'
import { type Bus, connectBus, lastSequence } from '@tripline/kit/bus'
import { buildHttp, listen } from '@tripline/kit/http'
import { type HttpService, once } from '@tripline/kit/lifecycle'
import type { Log } from '@tripline/kit/log'
import { type OpeningKey, readOpeningKeys } from '@tripline/kit/seal'
import { readStream, type StreamReader } from '@tripline/kit/stream-reader'
import { verifyStream } from '@tripline/kit/streams'
import type { UserId } from '@tripline/proto/id'
import { alertFilter, partitionOf } from '@tripline/proto/subject'
import type { Config } from './config.ts'
import { type AlertConsumer, createAlertConsumer } from './consumers/alerts.ts'
import { answerPaperAccounts, type PaperAccountOptions } from './consumers/paper-account.ts'
import { type Claim, createPartitions, type Partitions } from './partitions.ts'
import { rehearse } from './rehearse.ts'
import { openBotDirectory } from './store/bot-directory.ts'
import { openLeaseStore } from './store/lease-store.ts'
import { openConnections, type VenueConnections } from './venue/dispatcher.ts'
import { createVenuePool, type VenuePool } from './venue/pool.ts'

const settleMs = 5000
/** How long a claim waits for venues: one that cannot be reached must not keep the others from trading. */
const openMs = 5000

/** What the process does when its ownership is gone, and what a test may put in place of the real thing. */
export interface Overrides {
  onLeaseLost: () => void
  connect?: typeof connectBus
  connections?: VenueConnections
  decoratePool?: (pool: VenuePool) => VenuePool
}

/** A running executor: it owns every free partition, and is ready once it reads them. */
export async function startExecutor(config: Config, log: Log, overrides: Overrides): Promise<HttpService> {
  const bus = await (overrides.connect ?? connectBus)({
    url: config.NATS_URL,
    user: 'executor',
    seed: config.NATS_NKEY_SEED,
    log,
  })
  await verifyStream(bus, 'ALERTS')
  const openingKeys = readOpeningKeys(config.SEAL_PRIVATE_KEYS)
  const pool = createPool(config, log, openingKeys, overrides, (userId) =>
    partitions.mayPlace(partitionOf(userId)),
  )
  const directory = await openBotDirectory(bus)
  const serve = (): void =>
    pool.serve([...directory.bots()].filter((bot) => partitions.owns(partitionOf(bot.userId))))
  const consumer = createAlertConsumer({ bus, pool, directory, log })
  const readers: StreamReader[] = []
  const partitions: Partitions = createPartitions({
    owner: randomUUID(),
    leases: await openLeaseStore(bus),
    log,
    onLost: overrides.onLeaseLost,
    onClaimed: async (claims) => {
      serve()
      await pool.settled(openMs)
      readers.push(...(await readPartitions(bus, consumer, claims)))
    },
  })
  directory.onChange(serve)
  const stopAnswering = answerPaperAccounts(paperOptions(config, bus, openingKeys))
  const http = buildHttp({
    log,
    bodyLimitBytes: 1024,
    isReady: () => bus.isConnected() && partitions.areAllServed(),
  })
  const listening = await listen(http, config.HOST, config.PORT)
  const rehearsals = await pool.preload(openMs)
  if (rehearsals !== undefined) await rehearse(rehearsals, log)
  await partitions.start()
  return {
    port: listening.port,
    stop: once(async () => {
      stopAnswering()
      partitions.stopClaiming()
      for (const reader of readers) reader.stop()
      const undecided = await consumer.stop(settleMs)
      await partitions.release((partition) => !undecided.has(partition))
      directory.stop()
      await Promise.all([pool.close(), listening.stop(), bus.close()])
    }),
  }
}

function createPool(
  config: Config,
  log: Log,
  openingKeys: OpeningKey[],
  overrides: Overrides,
  mayPlace: (userId: UserId) => boolean,
): VenuePool {
  const pool = createVenuePool({
    addresses: { paper_futures: `${config.PAPER_URL}/binance-futures` },
    openingKeys,
    connections: overrides.connections ?? openConnections(),
    log,
    mayPlace,
  })
  return overrides.decoratePool?.(pool) ?? pool
}

function paperOptions(config: Config, bus: Bus, [sealingKey]: OpeningKey[]): PaperAccountOptions {
  if (sealingKey === undefined) throw new Error('SEAL_PRIVATE_KEYS holds no key')
  return { bus, paperUrl: config.PAPER_URL, internalToken: config.INTERNAL_TOKEN, sealingKey }
}

/** Reads each partition from its beginning; what lay there before the claim may have been begun by another. */
async function readPartitions(bus: Bus, consumer: AlertConsumer, claims: Claim[]): Promise<StreamReader[]> {
  const lastBeforeClaim = await lastSequence(bus, 'ALERTS')
  return await Promise.all(
    claims.map(
      async (claim) =>
        await readStream(bus, {
          stream: 'ALERTS',
          filter: alertFilter(claim.partition),
          start: { from: 'sequence', sequence: 1 },
          onMessage: (message) =>
            consumer.take(message, message.sequence <= lastBeforeClaim ? claim : undefined),
        }),
    ),
  )
}
