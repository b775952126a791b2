import { describe, expect, test } from '@jest/globals'
import { now, steadyNow } from '@tripline/kit/time/clock'
import { partitionCount } from '@tripline/proto/subject'
import { waitFor } from '@tripline/testkit/wait-for'
import { usualTerm } from '../src/domain/sharing/lease.ts'
import type { ProcessAddress } from '../src/sharing/process-address.ts'
import type { Claim } from '../src/sharing/state.ts'
import { allPartitions, answerMs, type Claimant, claimantsOfFile, passed, type Terms } from './claimants.ts'

// The server writes down whole milliseconds of a clock that is not the one intervals are measured with.
const clockSlackMs = 20

const on = claimantsOfFile()

describe('partitions', () => {
  test('are all taken by the first, and nobody is in doubt', async () => {
    const first = await on.claimant('first')
    await first.partitions.start()
    expect(first.ownsAll()).toBe(true)
    expect(first.partitions.areAllServed()).toBe(true)
    expect(first.holdsAll()).toBe(true)
    expect(new Set(first.claims.map(({ notAbsentBefore }) => notAbsentBefore))).toEqual(new Set([undefined]))
  })

  test('stay with the one who renews them, and the other knows them served', async () => {
    const [first, second] = [await on.claimant('first'), await on.claimant('second')]
    await first.partitions.start()
    await second.partitions.start()
    await waitFor(() => second.partitions.areAllServed())
    expect([second.claims, second.holdsAny(), first.isLost()]).toEqual([[], false, false])
    expect(first.ownsAll()).toBe(true)
  })

  test('that are released are taken at once, and nobody is in doubt', async () => {
    const term = { leaseMs: 8000, takeoverMs: 11_000 }
    const first = await on.claimant('first', { term, unsettled: 7 })
    const second = await on.claimant('second', { term })
    await first.partitions.start()
    await second.partitions.start()
    await first.partitions.release()
    await waitFor(() => second.claims.length === partitionCount - 1)
    expect(first.holdsAny()).toBe(false)
    // A lease taken after a silence has a time from which absences count.
    expect(second.claims.every(({ notAbsentBefore }) => notAbsentBefore === undefined)).toBe(true)
    expect(second.partitions.owns(7)).toBe(false)
    await waitFor(() => second.ownsAll())
    expect(second.claims.find(({ partition }) => partition === 7)?.notAbsentBefore).toBeDefined()
  })

  test('of one who is cut off are taken when it may no longer place, and it learns that they are gone', async () => {
    const term = usualTerm
    const [first, second] = [
      await on.claimant('first', { term, answerMs }),
      await on.claimant('second', { term, answerMs }),
    ]
    await first.partitions.start()
    await waitFor(first.ownsAll)
    await second.partitions.start()
    first.link.cut()
    await waitFor(() => !first.isConnected())
    const renewedAt = await on.writtenAt(0)
    let wasSafe = true
    await waitFor(() => {
      wasSafe &&= !allPartitions.some((partition) =>
        [first, second].every(({ partitions }) => partitions.holdOf(partition) === 'held'),
      )
      return second.ownsAll()
    })
    expect({ wasSafe, holds: first.holdsAny() }).toEqual({ wasSafe: true, holds: false })
    expect((await on.writtenAt(0)) - renewedAt).toBeGreaterThanOrEqual(3500 - clockSlackMs)
    const claim = second.claims.find(({ partition }) => partition === 0)
    expect(claim?.notAbsentBefore).toBeGreaterThanOrEqual(renewedAt + 2500 + 3000 + 1000 - clockSlackMs)
    expect(first.isLost()).toBe(false)
    first.link.mend()
    await waitFor(() => first.isLost())
    expect(second.ownsAll()).toBe(true)
  })

  test('of one that was where the next one is are taken at once, and absence counts from then', async () => {
    const here = (): ProcessAddress => ({ name: 'here', since: steadyNow() })
    // Its last renewals are not waited for long.
    const first = await on.claimant('first', { place: here(), answerMs: 1000 })
    await first.partitions.start()
    await waitFor(first.ownsAll)
    first.link.cut()
    await waitFor(() => !first.isConnected())
    const elsewhere = await on.claimant('elsewhere', { place: { name: 'there', since: steadyNow() } })
    await elsewhere.partitions.start()
    const place = here()
    const next = await on.claimant('next', { place })
    const lateBy = now() - steadyNow()
    await next.partitions.start()
    expect([next.ownsAll(), elsewhere.claims]).toEqual([true, []])
    // The receive window of an order, and a second for clocks that differ.
    for (const { notAbsentBefore, deaths } of next.claims) {
      expect(notAbsentBefore).toBeCloseTo(place.since + lateBy + 4000, -2)
      expect(deaths).toBe(1)
    }
  })

  test('say whether their owners began in order the alerts that lie there, also of the one before', async () => {
    const terms = { term: { leaseMs: 1500, takeoverMs: 2500 }, answerMs: 1000 }
    const claimOf = ({ claims }: Claimant): boolean | undefined =>
      claims.find(({ partition }) => partition === 0)?.inOrder
    await on.bucket.put('0', JSON.stringify({ owner: 'of the version before', released: false }))
    const found: (boolean | undefined)[] = []
    for (const owner of ['first', 'second', 'third', 'fourth', 'fifth']) {
      const next = await on.claimant(owner, terms)
      await next.partitions.start()
      await waitFor(() => claimOf(next) !== undefined)
      found.push(claimOf(next))
      const renewedAt = await on.writtenAt(0)
      if (owner === 'second') next.partitions.noteRunThrough(0)
      if (owner === 'second') await waitFor(async () => (await on.writtenAt(0)) > renewedAt + 1500)
      if (owner === 'fourth') await next.partitions.breakOrder(0)
      next.link.cut()
    }
    // The first two cannot say it of what the old one left, the second one ran all of that.
    expect(found).toEqual([false, false, true, true, false])
  })

  test('count the owners that died before they had run the alerts they found, and forget them once one has', async () => {
    const terms = { term: { leaseMs: 1500, takeoverMs: 2500 }, answerMs: 1000 }
    const succeed = async (owner: string): Promise<Claimant> => {
      const next = await on.claimant(owner, terms)
      await next.partitions.start()
      await waitFor(() => next.claims.some(({ partition }) => partition === 0))
      return next
    }
    const deathsAt = ({ claims }: Claimant): number | undefined =>
      claims.find(({ partition }) => partition === 0)?.deaths
    const found: (number | undefined)[] = []
    let last = await succeed('first')
    for (const owner of ['second', 'third', 'fourth']) {
      found.push(deathsAt(last))
      const renewedAt = await on.writtenAt(0)
      if (owner === 'fourth') {
        last.partitions.noteRunThrough(0)
        // The renewal under way may have been sent before.
        await waitFor(async () => (await on.writtenAt(0)) > renewedAt + 1500)
      }
      last.link.cut()
      last = await succeed(owner)
    }
    expect([...found, deathsAt(last)]).toEqual([0, 1, 2, 1])
  })

  test('count no death where one stops in order and leaves something in doubt, and forget none', async () => {
    const terms = { term: { leaseMs: 1500, takeoverMs: 2500 }, answerMs: 1000, unsettled: 0 }
    const found: (number | boolean | string | undefined)[][] = []
    for (const owner of ['one that stops', 'one that dies', 'another that stops', 'the last']) {
      const next = await on.claimant(owner, terms)
      await next.partitions.start()
      const claimOf = (): Claim | undefined => next.claims.find(({ partition }) => partition === 0)
      await waitFor(() => claimOf() !== undefined)
      const claim = claimOf()
      found.push([claim?.deaths, claim?.inOrder, claim?.notAbsentBefore !== undefined, claim?.onlyOwner])
      if (owner === 'one that dies') next.link.cut()
      else await next.partitions.release()
    }
    // Work left in doubt is looked up all the same; behind the second one others than the last may have begun it.
    expect(found).toEqual([
      [0, true, false, undefined],
      [0, true, true, 'one that stops'],
      [1, true, true, undefined],
      [1, true, true, undefined],
    ])
  })

  test('that cannot be read are taken once they stay silent, in doubt, and are lost to their former owner', async () => {
    await on.bucket.put('0', '{"owner":5}')
    await on.bucket.put('1', 'no JSON')
    const terms = { term: { leaseMs: 1500, takeoverMs: 2500 }, answerMs: 1000 }
    const first = await on.claimant('first', terms)
    await first.partitions.start()
    await waitFor(first.ownsAll)
    const inDoubt = { notAbsentBefore: expect.any(Number), inOrder: false, deaths: 1 }
    for (const partition of [0, 1])
      expect(first.claims.find((claim) => claim.partition === partition)).toMatchObject(inDoubt)
    expect(first.isLost()).toBe(false)
    await on.bucket.put('2', '{"owner":"first"}')
    await waitFor(first.isLost)
  })

  test('stay with one whose connection breaks for a moment, and are held all the time', async () => {
    const term = { leaseMs: 8000, takeoverMs: 11_000 }
    const [first, second] = [
      await on.claimant('first', { term, answerMs }),
      await on.claimant('second', { term, answerMs }),
    ]
    await first.partitions.start()
    await waitFor(first.holdsAll)
    await second.partitions.start()
    await waitFor(() => second.partitions.areAllServed())
    first.link.cut()
    await waitFor(() => !first.isConnected())
    first.link.mend()
    await waitFor(() => first.isConnected())
    const mendedAt = await on.writtenAt(0)
    let wasHeld = true
    await waitFor(async () => {
      wasHeld &&= first.holdsAll()
      return (await on.writtenAt(0)) > mendedAt + term.takeoverMs
    })
    expect([second.claims, first.isLost(), wasHeld]).toEqual([[], false, true])
  })

  test('stay where they are when nobody reached the bus for longer than a lease', async () => {
    const term = usualTerm
    const [first, second] = [
      await on.claimant('first', { term, answerMs }),
      await on.claimant('second', { term, answerMs }),
    ]
    await first.partitions.start()
    await waitFor(first.ownsAll)
    await second.partitions.start()
    await waitFor(() => second.partitions.areAllServed())
    first.link.cut()
    second.link.cut()
    await passed(5000)
    expect(first.holdsAny()).toBe(false)
    second.link.mend()
    first.link.mend()
    await waitFor(() => first.holdsAll())
    await waitFor(() => second.partitions.areAllServed())
    expect([second.claims, first.isLost()]).toEqual([[], false])
  })

  test('stay where they are when the store had no leader for longer than a lease, in any order of renewals', async () => {
    const term = usualTerm
    const away = new Set<string>()
    const terms = (owner: string): Terms => ({
      term,
      answerMs,
      decorate: (store) => ({
        ...store,
        write: async (...lease) => {
          if (away.has(owner)) throw new Error('no leader')
          return await store.write(...lease)
        },
        read: async (partition) => {
          if (away.has(owner)) throw new Error('no leader')
          return await store.read(partition)
        },
      }),
    })
    const [first, second] = [
      await on.claimant('first', terms('first')),
      await on.claimant('second', terms('second')),
    ]
    await first.partitions.start()
    await waitFor(first.ownsAll)
    await second.partitions.start()
    await waitFor(() => second.partitions.areAllServed())
    for (const owner of ['first', 'second']) away.add(owner)
    await passed(5000)
    expect([first.holdsAny(), second.claims]).toEqual([false, []])
    away.delete('second')
    await passed(1500)
    away.delete('first')
    await waitFor(() => first.holdsAll())
    await waitFor(() => second.partitions.areAllServed())
    expect([second.claims, first.isLost()]).toEqual([[], false])
  })

  test('stay with their owner when the answer of a renewal is lost', async () => {
    let lostAnswers = 0
    const first = await on.claimant('first', {
      decorate: (store) => ({
        ...store,
        write: async (lease, revision) => {
          const written = await store.write(lease, revision)
          if (lease.partition !== 7 || revision === 0 || lostAnswers > 0) return written
          lostAnswers++
          throw new Error('the answer was lost')
        },
      }),
    })
    const second = await on.claimant('second')
    await first.partitions.start()
    await second.partitions.start()
    await waitFor(() => lostAnswers === 1)
    await waitFor(() => second.partitions.areAllServed())
    await waitFor(() => first.partitions.holdOf(7) === 'held')
    expect([second.claims, first.isLost(), first.ownsAll()]).toEqual([[], false, true])
  })

  test('are served although another one could not be claimed at once, and it is claimed later', async () => {
    let failures = 0
    const first = await on.claimant('first', {
      decorate: (store) => ({
        ...store,
        write: async (lease, revision) => {
          if (lease.partition !== 7 || failures > 0) return await store.write(lease, revision)
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
    const many = await Promise.all(['a', 'b', 'c', 'd'].map(async (owner) => await on.claimant(owner)))
    await Promise.all(many.map(async ({ partitions }) => await partitions.start()))
    await waitFor(() => many.every(({ partitions }) => partitions.areAllServed()))
    const owners = allPartitions.map(
      (partition) => many.filter(({ partitions }) => partitions.owns(partition)).length,
    )
    expect(new Set(owners)).toEqual(new Set([1]))
    expect(many.some(({ isLost }) => isLost())).toBe(false)
  })
})
