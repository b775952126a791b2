import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { type Bus, connectBus } from '@tripline/kit/bus'
import { partitionCount } from '@tripline/proto/subject'
import { type Link, link } from '@tripline/testkit/link'
import { testLog } from '@tripline/testkit/log'
import { nats, type TestNats } from '@tripline/testkit/nats'
import { waitFor } from '@tripline/testkit/wait-for'
import { type LeaseTerm, usualTerm } from '../src/domain/lease.ts'
import { createPartitions, type Partitions } from '../src/sharing/partitions.ts'
import type { Claim } from '../src/sharing/state.ts'
import { type LeaseStore, openLeaseStore } from '../src/store/lease-store.ts'

type LeaseBucket = Awaited<ReturnType<Bus['jetstream']['views']['kv']>>

// The server writes down whole milliseconds of a clock that is not the one intervals are measured with.
const clockSlackMs = 20
// Where time is not what it is about, a machine that stands still for seconds must not end a lease or lose an answer.
const patientTerm: LeaseTerm = { leaseMs: 25_000, takeoverMs: 35_000 }
const patientAnswerMs = 10_000
// What is asked as a connection breaks is not answered: that has to show soon.
const answerMs = 400
const allPartitions = Array.from({ length: partitionCount }, (_, partition) => partition)

/** How a claimant keeps its leases, where not patiently. */
interface Terms {
  decorate?: (store: LeaseStore) => LeaseStore
  term?: LeaseTerm
  answerMs?: number
  /** A partition of which something is left in doubt. */
  unsettled?: number
}

/** One who claims partitions over a connection that can be cut. */
interface Claimant {
  partitions: Partitions
  link: Link
  claims: Claim[]
  isConnected: () => boolean
  isLost: () => boolean
  ownsAll: () => boolean
  holdsAll: () => boolean
  holdsAny: () => boolean
}

describe('partitions', () => {
  let server: TestNats
  let bucket: LeaseBucket
  const stops: (() => Promise<void>)[] = []

  beforeAll(async () => {
    server = await nats()
    bucket = await (await server.connect('ops')).jetstream.views.kv('leases')
  })
  afterEach(async () => {
    await Promise.all(stops.splice(0).map(async (stop) => await stop()))
    for (const partition of allPartitions) await bucket.purge(`${partition}`)
  })
  afterAll(async () => await server.stop())

  async function claimant(
    owner: string,
    { decorate, term, answerMs, unsettled }: Terms = {},
  ): Promise<Claimant> {
    const way = await link(server.url)
    const bus = await connect(way)
    const claims: Claim[] = []
    const leases = await openLeaseStore(bus, answerMs ?? patientAnswerMs)
    let lost = false
    let isOver = false
    const partitions = createPartitions({
      bus,
      owner,
      leases: decorate ? decorate(leases) : leases,
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
      await way.stop()
    })
    return {
      partitions,
      link: way,
      claims,
      isConnected: () => bus.isConnected(),
      isLost: () => lost,
      ownsAll: () => allPartitions.every((partition) => partitions.owns(partition)),
      holdsAll: () => allPartitions.every((partition) => partitions.holdOf(partition) === 'held'),
      holdsAny: () => allPartitions.some((partition) => partitions.holdOf(partition) === 'held'),
    }
  }

  /** When the lease was last written, on the server's clock. */
  async function writtenAt(partition: number): Promise<number> {
    const entry = await bucket.get(`${partition}`)
    return entry?.created.getTime() ?? 0
  }

  async function connect(way: Link): Promise<Bus> {
    const seed = server.seed('executor')
    return await connectBus({ url: way.url, user: 'executor', seed, log: testLog('executor') })
  }

  test('are all taken by the first, and nobody is in doubt', async () => {
    const first = await claimant('first')
    await first.partitions.start()
    expect(first.ownsAll()).toBe(true)
    expect(first.partitions.areAllServed()).toBe(true)
    expect(first.holdsAll()).toBe(true)
    expect(new Set(first.claims.map(({ notAbsentBefore }) => notAbsentBefore))).toEqual(new Set([undefined]))
  })

  test('stay with the one who renews them, and the other knows them served', async () => {
    const [first, second] = [await claimant('first'), await claimant('second')]
    await first.partitions.start()
    await second.partitions.start()
    await waitFor(() => second.partitions.areAllServed())
    expect([second.claims, second.holdsAny(), first.isLost()]).toEqual([[], false, false])
    expect(first.ownsAll()).toBe(true)
  })

  test('that are released are taken at once, and nobody is in doubt', async () => {
    const term = { leaseMs: 8000, takeoverMs: 11_000 }
    const first = await claimant('first', { term, unsettled: 7 })
    const second = await claimant('second', { term })
    await first.partitions.start()
    await second.partitions.start()
    await first.partitions.release()
    await waitFor(() => second.claims.length === partitionCount - 1)
    expect(first.holdsAny()).toBe(false)
    // What is taken after a silence has a moment from which absences count.
    expect(second.claims.every(({ notAbsentBefore }) => notAbsentBefore === undefined)).toBe(true)
    expect(second.partitions.owns(7)).toBe(false)
    await waitFor(() => second.ownsAll())
    expect(second.claims.find(({ partition }) => partition === 7)?.notAbsentBefore).toBeDefined()
  })

  test('of one who is cut off are taken when it may no longer place, and it learns that they are gone', async () => {
    const term = usualTerm
    const [first, second] = [
      await claimant('first', { term, answerMs }),
      await claimant('second', { term, answerMs }),
    ]
    await first.partitions.start()
    await waitFor(first.ownsAll)
    await second.partitions.start()
    first.link.cut()
    await waitFor(() => !first.isConnected())
    const renewedAt = await writtenAt(0)
    let wasSafe = true
    await waitFor(() => {
      wasSafe &&= !allPartitions.some((partition) =>
        [first, second].every(({ partitions }) => partitions.holdOf(partition) === 'held'),
      )
      return second.ownsAll()
    })
    expect({ wasSafe, holds: first.holdsAny() }).toEqual({ wasSafe: true, holds: false })
    expect((await writtenAt(0)) - renewedAt).toBeGreaterThanOrEqual(3500 - clockSlackMs)
    const claim = second.claims.find(({ partition }) => partition === 0)
    expect(claim?.notAbsentBefore).toBeGreaterThanOrEqual(renewedAt + 2500 + 3000 + 1000 - clockSlackMs)
    expect(first.isLost()).toBe(false)
    first.link.mend()
    await waitFor(() => first.isLost())
    expect(second.ownsAll()).toBe(true)
  })

  test('stay with one whose connection breaks for a moment, and are held all the time', async () => {
    const term = { leaseMs: 8000, takeoverMs: 11_000 }
    const [first, second] = [
      await claimant('first', { term, answerMs }),
      await claimant('second', { term, answerMs }),
    ]
    await first.partitions.start()
    await waitFor(first.holdsAll)
    await second.partitions.start()
    await waitFor(() => second.partitions.areAllServed())
    first.link.cut()
    await waitFor(() => !first.isConnected())
    first.link.mend()
    await waitFor(() => first.isConnected())
    const mendedAt = await writtenAt(0)
    let wasHeld = true
    await waitFor(async () => {
      wasHeld &&= first.holdsAll()
      return (await writtenAt(0)) > mendedAt + term.takeoverMs
    })
    expect([second.claims, first.isLost(), wasHeld]).toEqual([[], false, true])
  })

  test('stay where they are when nobody reached the bus for longer than a lease', async () => {
    const term = usualTerm
    const [first, second] = [
      await claimant('first', { term, answerMs }),
      await claimant('second', { term, answerMs }),
    ]
    await first.partitions.start()
    await waitFor(first.ownsAll)
    await second.partitions.start()
    await waitFor(() => second.partitions.areAllServed())
    first.link.cut()
    second.link.cut()
    const longGone = performance.now() + 5000
    await waitFor(() => performance.now() > longGone)
    expect(first.holdsAny()).toBe(false)
    second.link.mend()
    first.link.mend()
    await waitFor(() => first.holdsAll())
    await waitFor(() => second.partitions.areAllServed())
    expect([second.claims, first.isLost()]).toEqual([[], false])
  })

  test('are kept when the answer of a renewal is lost', async () => {
    let lostAnswers = 0
    const first = await claimant('first', {
      decorate: (store) => ({
        ...store,
        write: async (partition, owner, isReleased, revision) => {
          const written = await store.write(partition, owner, isReleased, revision)
          if (partition !== 7 || revision === 0 || lostAnswers > 0) return written
          lostAnswers++
          throw new Error('the answer was lost')
        },
      }),
    })
    const second = await claimant('second')
    await first.partitions.start()
    await second.partitions.start()
    await waitFor(() => lostAnswers === 1)
    await waitFor(() => second.partitions.areAllServed())
    await waitFor(() => first.partitions.holdOf(7) === 'held')
    expect([second.claims, first.isLost(), first.ownsAll()]).toEqual([[], false, true])
  })

  test('are served although another one could not be claimed at once, and it is claimed later', async () => {
    let failures = 0
    const first = await claimant('first', {
      decorate: (store) => ({
        ...store,
        write: async (partition, ...rest) => {
          if (partition !== 7 || failures > 0) return await store.write(partition, ...rest)
          failures++
          throw new Error('the bus did not answer')
        },
      }),
    })
    await first.partitions.start()
    expect(first.claims).toHaveLength(partitionCount - 1)
    expect(first.partitions.areAllServed()).toBe(false)
    await waitFor(() => first.partitions.areAllServed())
    expect(first.holdsAll()).toBe(true)
  })

  test('row 10: are each taken by one when many begin at once', async () => {
    const many = await Promise.all(['a', 'b', 'c', 'd'].map(async (owner) => await claimant(owner)))
    await Promise.all(many.map(async ({ partitions }) => await partitions.start()))
    await waitFor(() => many.every(({ partitions }) => partitions.areAllServed()))
    const owners = allPartitions.map(
      (partition) => many.filter(({ partitions }) => partitions.owns(partition)).length,
    )
    expect(new Set(owners)).toEqual(new Set([1]))
    expect(many.some(({ isLost }) => isLost())).toBe(false)
  })
})
