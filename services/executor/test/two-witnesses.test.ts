import { describe, expect, test } from '@jest/globals'
import { partitionCount } from '@tripline/proto/subject'
import { waitFor } from '@tripline/testkit/wait-for'
import { allPartitions, answerMs, type Claimant, claimantsOfFile, passed } from './claimants.ts'

const on = claimantsOfFile()

describe('partitions with two witnesses', () => {
  // Longer than usual: a machine that stands still for a second must not end a hold.
  const term = { leaseMs: 4000, takeoverMs: 5500 }
  const terms = { term, answerMs }

  /** The one that holds all, and another that knows it. */
  async function ownerAndOther(): Promise<[Claimant, Claimant]> {
    const [owner, other] = [await on.claimant('owner', terms), await on.claimant('other', terms)]
    await owner.partitions.start()
    await waitFor(owner.holdsAll)
    await other.partitions.start()
    await waitFor(() => other.partitions.areAllServed())
    return [owner, other]
  }

  /** Settles after so long; throws as soon as the other has anything, or the owner lacks something. */
  async function nothingMoves([owner, other]: [Claimant, Claimant], ms: number): Promise<void> {
    const until = performance.now() + ms
    await waitFor(() => {
      if (!owner.holdsAll() || other.claims.length > 0) throw new Error('something moved')
      return performance.now() > until
    })
    expect([owner.isLost(), other.isLost()]).toEqual([false, false])
  }

  test('stay where they are when the bus forgets them, and their leases are written again', async () => {
    const both = await ownerAndOther()
    for (const partition of allPartitions) await on.bucket.purge(`${partition}`)
    await nothingMoves(both, term.takeoverMs + 1500)
    expect(await on.writtenAt(0)).toBeGreaterThan(0)
    await on.bucket.put('0', JSON.stringify({ owner: 'earlier', released: true, epoch: 0 }))
    await on.bucket.put('1', JSON.stringify({ owner: 'earlier', released: false, epoch: 0 }))
    await nothingMoves(both, term.takeoverMs + 1500)
    for (const partition of [0, 1])
      expect((await on.bucket.get(`${partition}`))?.json()).toMatchObject({ owner: 'owner', epoch: 1 })
  })

  test('stay where they are when the database comes back from a back-up, and no epoch comes again', async () => {
    const both = await ownerAndOther()
    await on.onRows(`update partition_epoch set owner = 'former', epoch = 0, renewal = 9, renewed_at = now() - interval '1 hour'
       where partition < 32`)
    await on.onRows('delete from partition_epoch where partition >= 32')
    await nothingMoves(both, term.takeoverMs + 1500)
    const mine = "select from partition_epoch where owner = 'owner' and epoch = 1"
    expect(await on.onRows(mine)).toBe(partitionCount)
  })

  test('are held while the owner lacks the database, and while it lacks the bus for a while', async () => {
    const both = await ownerAndOther()
    const [owner, other] = both
    owner.ways.database.cut()
    await nothingMoves(both, term.takeoverMs + 2000)
    owner.ways.database.mend()
    await waitFor(() => owner.epochOf(0) !== undefined)
    await nothingMoves(both, 1500)
    owner.ways.bus.cut()
    let wasSafe = true
    await waitFor(() => {
      const isHeldTwice = (partition: number): boolean =>
        [owner, other].every(({ partitions }) => partitions.holdOf(partition) === 'held')
      wasSafe &&= !allPartitions.some(isHeldTwice)
      return other.ownsAll()
    })
    expect([wasSafe, other.epochOf(0)]).toEqual([true, 2])
    owner.ways.bus.mend()
    await waitFor(owner.isLost)
  })

  test('are taken by nobody without the database, not even where they were released, and soon after', async () => {
    const [owner, other] = await ownerAndOther()
    other.ways.database.cut()
    await owner.partitions.release()
    await passed(term.takeoverMs + 1000)
    expect(other.claims).toEqual([])
    const mendedAt = performance.now()
    other.ways.database.mend()
    await waitFor(other.ownsAll)
    expect(performance.now() - mendedAt).toBeLessThan(term.takeoverMs + 1000)
    expect(other.claims.every(({ notAbsentBefore }) => notAbsentBefore === undefined)).toBe(true)
  })

  test('stay with one whose leases are renewed while another claims the rows, and these are given back', async () => {
    const asked = Promise.withResolvers<void>()
    const mayClaim = Promise.withResolvers<void>()
    const owner = await on.claimant('owner', terms)
    const other = await on.claimant('other', {
      ...terms,
      decorateEpochs: (store) => ({
        ...store,
        claim: async (...about) => {
          asked.resolve()
          await mayClaim.promise
          return await store.claim(...about)
        },
      }),
    })
    await owner.partitions.start()
    await waitFor(owner.holdsAll)
    await other.partitions.start()
    owner.link.cut()
    await asked.promise
    owner.ways.bus.mend()
    await waitFor(() => other.partitions.areAllServed())
    mayClaim.resolve()
    await waitFor(async () => (await on.onRows('select from partition_epoch where epoch > 2')) > 0)
    owner.ways.database.mend()
    await waitFor(() => owner.epochOf(0) === 3)
    await waitFor(owner.holdsAll)
    expect([other.claims, owner.isLost()]).toEqual([[], false])
  })

  test('are in doubt where a lease was released under an earlier epoch than the row says', async () => {
    const owner = await on.claimant('owner', terms)
    await owner.partitions.start()
    await waitFor(owner.holdsAll)
    owner.link.cut()
    await waitFor(() => !owner.isConnected())
    await on.bucket.put('0', JSON.stringify({ owner: 'earlier', released: true, epoch: 0 }))
    const other = await on.claimant('other', terms)
    await other.partitions.start()
    await waitFor(other.ownsAll)
    expect(other.claims.find(({ partition }) => partition === 0)).toMatchObject({
      notAbsentBefore: expect.any(Number),
      inOrder: false,
      onlyOwner: undefined,
      unbegunFrom: undefined,
    })
  })
})
