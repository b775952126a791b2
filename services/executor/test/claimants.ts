import { afterAll, afterEach, beforeAll } from '@jest/globals'
import { type Bus, connectBus } from '@tripline/kit/bus/bus'
import { openDatabase } from '@tripline/kit/postgres'
import { partitionCount } from '@tripline/proto/subject'
import { executorSchema } from '@tripline/testkit/executor-schema'
import { query } from '@tripline/testkit/infra/fresh-database'
import { type Link, link } from '@tripline/testkit/link'
import { testLog } from '@tripline/testkit/log'
import { nats, type TestNats } from '@tripline/testkit/nats'
import { waitFor } from '@tripline/testkit/wait-for'
import type { LeaseTerm } from '../src/domain/sharing/lease.ts'
import { createPartitions, type Partitions } from '../src/sharing/partitions.ts'
import type { ProcessAddress } from '../src/sharing/process-address.ts'
import type { Claim } from '../src/sharing/state.ts'
import type { Tables } from '../src/store/database.ts'
import { type EpochStore, openEpochStore } from '../src/store/epoch-store.ts'
import { type LeaseStore, openLeaseStore } from '../src/store/lease-store.ts'

type LeaseBucket = Awaited<ReturnType<Bus['jetstream']['views']['kv']>>

// A machine that stands still for seconds must not end a lease or lose a reply in tests that are not about time.
const patientTerm: LeaseTerm = { leaseMs: 25_000, takeoverMs: 35_000 }
const patientAnswerMs = 10_000
/** A request on a breaking connection gets no reply: that has to show soon. */
export const answerMs = 400
export const allPartitions = Array.from({ length: partitionCount }, (_, partition) => partition)

/** The terms of a claimant that is not patient. */
export interface Terms {
  decorate?: (store: LeaseStore) => LeaseStore
  decorateEpochs?: (store: EpochStore) => EpochStore
  term?: LeaseTerm
  answerMs?: number
  /** A partition of which something is left in doubt. */
  unsettled?: number
  place?: ProcessAddress
}

/** One who claims partitions over connections that can be cut. */
export interface Claimant {
  partitions: Partitions
  /** The ways to both witnesses. */
  link: Pick<Link, 'cut' | 'mend'>
  ways: Record<'bus' | 'database', Link>
  epochOf: (partition: number) => number | undefined
  claims: Claim[]
  isConnected: () => boolean
  isLost: () => boolean
  ownsAll: () => boolean
  holdsAll: () => boolean
  holdsAny: () => boolean
}

/** Settles when so much time has passed that is what a test is about. */
export async function passed(ms: number): Promise<void> {
  const over = performance.now() + ms
  await waitFor(() => performance.now() > over)
}

/** A bus and a database that the tests of a file share, both emptied behind each test. */
interface Claimants {
  claimant: (owner: string, terms?: Terms) => Promise<Claimant>
  bucket: LeaseBucket
  /** Runs a statement on the rows of the partitions; returns the number of those that it is about. */
  onRows: (statement: string) => Promise<number>
  /** The time at which the lease was last written, on the server's clock. */
  writtenAt: (partition: number) => Promise<number>
}

/** The claimants of a file; nothing is read from it outside of tests. */
export function claimantsOfFile(): Claimants {
  const on: Partial<Claimants> = {}
  let server: TestNats
  let databaseUrl: string
  const stops: (() => Promise<void>)[] = []

  beforeAll(async () => {
    ;[server, databaseUrl] = await Promise.all([nats(), executorSchema()])
    const bucket = await (await server.connect('ops')).jetstream.views.kv('leases')
    Object.assign(on, {
      claimant,
      bucket,
      onRows: async (statement: string) => await query(databaseUrl, statement),
      writtenAt: async (partition: number) => (await bucket.get(`${partition}`))?.created.getTime() ?? 0,
    })
  })
  afterEach(async () => {
    await Promise.all(stops.splice(0).map(async (stop) => await stop()))
    for (const partition of allPartitions) await on.bucket?.purge(`${partition}`)
    await query(databaseUrl, 'delete from partition_epoch')
  })
  afterAll(async () => await server.stop())

  async function claimant(
    owner: string,
    { decorate, decorateEpochs, term, answerMs, unsettled, place }: Terms = {},
  ): Promise<Claimant> {
    const ways = { bus: await link(server.url), database: await link(databaseUrl) }
    const both = Object.values(ways)
    const bus = await connect(ways.bus)
    const epochLimits = { connections: 2, connectMs: 1000, statementMs: 1000, answerMs: 1000 }
    const claims: Claim[] = []
    const leases = await openLeaseStore(bus, answerMs ?? patientAnswerMs)
    const epochStore = openEpochStore(() =>
      openDatabase<Tables>(ways.database.url, 'executor', testLog(owner), epochLimits),
    )
    let lost = false
    let isOver = false
    const partitions = createPartitions({
      bus,
      owner,
      place,
      leases: decorate ? decorate(leases) : leases,
      epochStore: decorateEpochs ? decorateEpochs(epochStore) : epochStore,
      term: term ?? patientTerm,
      members: {
        present: () => [owner],
        hasLeft: () => false,
        isOneTaking: () => false,
        sayTaking: () => undefined,
      },
      log: testLog(owner),
      onComing: async () => undefined,
      onClaimed: async (claimed) => {
        claims.push(...claimed)
      },
      onGivingUp: async (partition) => ({
        isSettled: !isOver && partition !== unsettled,
        ended: Promise.resolve(),
      }),
      onGone: () => undefined,
      loadOf: () => 0,
      onLost: () => {
        lost = true
      },
    })
    stops.push(async () => {
      isOver = true
      await partitions.release()
      await bus.close()
      await Promise.all(both.map(async (way) => await way.stop()))
    })
    return {
      partitions,
      link: {
        cut: () => both.forEach((way) => void way.cut()),
        mend: () => both.forEach((way) => void way.mend()),
      },
      ways,
      epochOf: (partition) => partitions.tenureOf(partition)?.epoch,
      claims,
      isConnected: () => bus.isConnected(),
      isLost: () => lost,
      ownsAll: () => allPartitions.every((partition) => partitions.owns(partition)),
      holdsAll: () => allPartitions.every((partition) => partitions.holdOf(partition) === 'held'),
      holdsAny: () => allPartitions.some((partition) => partitions.holdOf(partition) === 'held'),
    }
  }

  async function connect(way: Link): Promise<Bus> {
    const seed = server.seed('executor')
    return await connectBus({ url: way.url, user: 'executor', seed, log: testLog('executor') })
  }

  return on as Claimants
}
