import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { openDatabase } from '@tripline/kit/postgres'
import { partitionCount } from '@tripline/proto/subject'
import { executorSchema } from '@tripline/testkit/executor-schema'
import { query } from '@tripline/testkit/infra/fresh-database'
import { testLog } from '@tripline/testkit/log'
import { nats, type TestNats } from '@tripline/testkit/nats'
import { waitFor } from '@tripline/testkit/wait-for'
import { createMembers, type Members } from '../src/sharing/members.ts'
import { createPartitions, type Partitions } from '../src/sharing/partitions.ts'
import type { Claim, Leaving } from '../src/sharing/state.ts'
import type { Tables } from '../src/store/database.ts'
import { openEpochStore } from '../src/store/epoch-store.ts'
import { openLeaseStore } from '../src/store/lease-store.ts'
import { openMemberStore } from '../src/store/member-store.ts'

const allPartitions = Array.from({ length: partitionCount }, (_, partition) => partition)
const sorted = (partitions: readonly number[]): number[] => partitions.toSorted((one, other) => one - other)
const settled: Leaving = { isSettled: true, ended: Promise.resolve() }

/** One who takes part in sharing. */
interface Sharer {
  members: Members
  partitions: Partitions
  claims: Claim[]
  /** The last partitions announced to it. */
  coming: () => readonly number[]
  givenUp: number[]
  isLost: () => boolean
  owned: () => number[]
  start: () => Promise<void>
  /** Ends as one that is asked to. */
  stop: () => Promise<void>
  /** Ends as one that is killed. */
  die: () => Promise<void>
}

interface SharerSettings {
  load?: Record<number, number>
  leave?: (partition: number) => Leaving | Promise<Leaving>
}

describe('executors that share the partitions', () => {
  let server: TestNats
  let databaseUrl: string
  const running = new Set<Sharer>()

  beforeAll(async () => {
    ;[server, databaseUrl] = await Promise.all([nats(), executorSchema()])
  })
  afterEach(async () => {
    await Promise.all([...running].map(async (sharer) => await sharer.stop()))
    const ops = await server.connect('ops')
    for (const bucket of ['leases', 'members']) await ops.manager.streams.purge(`KV_${bucket}`)
    await query(databaseUrl, 'delete from partition_epoch')
  })
  afterAll(async () => await server.stop())

  async function sharer(owner: string, { load = {}, leave = () => settled }: SharerSettings = {}) {
    const bus = await server.connect('executor')
    const members = createMembers(owner, await openMemberStore(bus), {
      log: testLog(owner),
      driftsToday: () => 0,
      rolledBackAt: () => undefined,
    })
    const claims: Claim[] = []
    let coming: readonly number[] = []
    const givenUp: number[] = []
    let isLost = false
    let isDead = false
    const partitions = createPartitions({
      bus,
      owner,
      leases: await openLeaseStore(bus, 2000),
      epochStore: openEpochStore(() => openDatabase<Tables>(databaseUrl, 'executor', testLog(owner))),
      members,
      log: testLog(owner),
      onComing: async (partitions) => {
        coming = partitions
      },
      onClaimed: async (claimed) => void claims.push(...claimed),
      onGivingUp: async (partition) => {
        if (isDead) return { isSettled: false, ended: Promise.resolve() }
        givenUp.push(partition)
        return await leave(partition)
      },
      onGone: () => undefined,
      loadOf: (partition) => load[partition] ?? 0,
      onLost: () => {
        isLost = true
      },
    })
    const made: Sharer = {
      members,
      partitions,
      claims,
      coming: () => coming,
      givenUp,
      isLost: () => isLost,
      owned: () => allPartitions.filter((partition) => partitions.owns(partition)),
      start: async () => {
        running.add(made)
        await members.join()
        await partitions.start()
      },
      stop: async () => {
        running.delete(made)
        await Promise.all([members.leave(), partitions.stopClaiming()])
        await partitions.release()
        await bus.close()
      },
      die: async () => {
        running.delete(made)
        isDead = true
        await bus.connection.close()
        await Promise.all([members.leave(), partitions.release()])
      },
    }
    return made
  }

  /** Settles once everything is owned, each partition by one, and this is how many each of them has. */
  async function expectShares(sharers: Sharer[], shares: number[]): Promise<void> {
    const counts = (): number[] => sharers.map(({ owned }) => owned().length)
    await waitFor(() => JSON.stringify(counts().toSorted()) === JSON.stringify(shares.toSorted()), {
      deadlineMs: 60_000,
    })
    expect(sorted(sharers.flatMap(({ owned }) => owned()))).toEqual(allPartitions)
    expect(sharers.some(({ isLost }) => isLost())).toBe(false)
    await waitFor(() => sharers.every(({ partitions }) => partitions.areAllServed()))
  }

  /** Settles when so much time has passed that much could have been given up. */
  async function renewedTwice({ owned }: Sharer): Promise<void> {
    const leases = await openLeaseStore(await server.connect('executor'))
    const revisions = new Set<number | undefined>()
    await waitFor(async () => {
      revisions.add((await leases.read(owned()[0] ?? 0))?.revision)
      return revisions.size === 3
    })
  }

  test('give a newcomer its share, nobody is in doubt, and the busiest partitions stay', async () => {
    const load = Object.fromEntries(allPartitions.slice(0, 32).map((partition) => [partition, 1]))
    const first = await sharer('first', { load })
    const second = await sharer('second')
    await first.start()
    await second.start()
    await expectShares([first, second], [32, 32])
    expect(first.owned()).toEqual(allPartitions.slice(0, 32))
    expect(second.claims.every(({ notAbsentBefore }) => notAbsentBefore === undefined)).toBe(true)
    const claimed = (): number => first.claims.length + second.claims.length
    const claimedBefore = claimed()
    const third = await sharer('third')
    await third.start()
    await expectShares([first, second, third], [22, 21, 21])
    // No more moved than had to: half at first, and then what the third has. Untaken partitions are taken back.
    const takenBack = claimed() - claimedBefore
    expect(first.givenUp.length + second.givenUp.length - takenBack).toBe(32 + 21)
  })

  test('take over from one that leaves, at once and each its part', async () => {
    const [first, second, third] = [await sharer('first'), await sharer('second'), await sharer('third')]
    for (const each of [first, second, third]) await each.start()
    await expectShares([first, second, third], [22, 21, 21])
    const before = first.claims.length
    await second.stop()
    await expectShares([first, third], [32, 32])
    expect(first.claims.slice(before).every(({ notAbsentBefore }) => notAbsentBefore === undefined)).toBe(
      true,
    )
  })

  test('get ready for the partitions that a leaving one still holds, each for its part', async () => {
    const mayGo = Promise.withResolvers<void>()
    let gate = Promise.resolve()
    const first = await sharer('first')
    const second = await sharer('second', {
      leave: async () => {
        await gate
        return settled
      },
    })
    const third = await sharer('third')
    for (const each of [first, second, third]) await each.start()
    await expectShares([first, second, third], [22, 21, 21])
    const before = [first.owned(), second.owned(), third.owned()]
    gate = mayGo.promise
    const stopped = second.stop()
    await waitFor(() => first.coming().length + third.coming().length === before[1]?.length)
    const coming = [first.coming(), third.coming()]
    expect(sorted(coming.flat())).toEqual(before[1])
    mayGo.resolve()
    await stopped
    await expectShares([first, third], [32, 32])
    expect(first.owned()).toEqual(sorted([...(before[0] ?? []), ...(coming[0] ?? [])]))
    expect(third.owned()).toEqual(sorted([...(before[2] ?? []), ...(coming[1] ?? [])]))
    await waitFor(() => first.coming().length + third.coming().length === 0)
  })

  test('take over from one that dies, each its part, with its last requests in doubt', async () => {
    const [first, second, third] = [await sharer('first'), await sharer('second'), await sharer('third')]
    for (const each of [first, second, third]) await each.start()
    await expectShares([first, second, third], [22, 21, 21])
    const before = first.claims.length
    const givenUp = first.givenUp.length
    await second.die()
    await expectShares([first, third], [32, 32])
    expect(first.claims.slice(before).every(({ notAbsentBefore }) => notAbsentBefore !== undefined)).toBe(
      true,
    )
    expect(first.givenUp).toHaveLength(givenUp)
  })

  test('take back partitions that a newcomer does not take, and offer them no more', async () => {
    const first = await sharer('first')
    await first.start()
    const idle = await sharer('idle')
    running.add(idle)
    await idle.members.join()
    await waitFor(() => first.givenUp.length === 8)
    await waitFor(() => first.owned().length < partitionCount)
    await waitFor(() => first.owned().length === partitionCount)
    const second = await sharer('second')
    await renewedTwice(first)
    expect(first.givenUp).toHaveLength(8)
    // Among others it is tried again.
    await second.start()
    await waitFor(() => second.owned().length > 0)
    await idle.members.leave()
    await expectShares([first, second], [32, 32])
  })

  test('let a partition run out in which something is left in doubt, and do not take it back while it runs', async () => {
    const ending = Promise.withResolvers<void>()
    const busy = 5
    const load = Object.fromEntries(allPartitions.map((partition) => [partition, partition === busy ? 0 : 1]))
    const first = await sharer('first', {
      load,
      leave: (partition) => (partition === busy ? { isSettled: false, ended: ending.promise } : settled),
    })
    const second = await sharer('second')
    await first.start()
    await second.start()
    await waitFor(() => second.owned().includes(busy))
    expect(second.claims.find(({ partition }) => partition === busy)?.notAbsentBefore).toBeDefined()
    await second.stop()
    await waitFor(() => first.owned().length === partitionCount - 1)
    expect(first.partitions.holdOf(busy)).toBe('gone')
    ending.resolve()
    await expectShares([first], [64])
  })

  test('move nothing when all of them stand still for a while', async () => {
    const [first, second] = [await sharer('first'), await sharer('second')]
    await first.start()
    await second.start()
    await expectShares([first, second], [32, 32])
    const owned = [first.owned(), second.owned()]
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 4000)
    await renewedTwice(first)
    await expectShares([first, second], [32, 32])
    expect([first.owned(), second.owned()]).toEqual(owned)
  })

  test('move nothing when one sends no heartbeat for a while', async () => {
    const [first, second] = [await sharer('first'), await sharer('second')]
    await first.start()
    await second.start()
    await expectShares([first, second], [32, 32])
    const owned = [first.owned(), second.owned()]
    await second.members.leave()
    await waitFor(() => first.members.present().length === 1)
    const store = await openMemberStore(await server.connect('executor'))
    const again = createMembers('second', store, {
      log: testLog('again'),
      driftsToday: () => 0,
      rolledBackAt: () => undefined,
    })
    await again.join()
    await waitFor(() => first.members.present().length === 2)
    expect([first.owned(), second.owned()]).toEqual(owned)
    await again.leave()
  })
})
