import { expect, test } from '@jest/globals'
import { testLog } from '@tripline/testkit/log'
import { waitFor } from '@tripline/testkit/wait-for'
import type { LeaseStore } from '../store/lease-store.ts'
import { clocks, type HeldLease, holdLease } from './held-lease.ts'

const leases: LeaseStore = {
  write: async (_lease, revision) => revision + 1,
  read: async () => undefined,
  watch: async () => () => undefined,
  busRun: () => 'run',
}

/** A lease that was claimed just now; it is renewed first within a second. */
function claim(leaseMs: number, more: { leases?: LeaseStore; overtaken?: string[] } = {}): HeldLease {
  const term = { leaseMs, takeoverMs: 2 * leaseMs }
  const options = {
    owner: 'me',
    leases: more.leases ?? leases,
    databaseReach: () => 'gone' as const,
    term,
    log: testLog('lease'),
    onLost: () => undefined,
  }
  return holdLease(options, {
    partition: 6,
    revision: 1,
    epoch: 1,
    deaths: 0,
    isHeir: false,
    inOrder: true,
    busRun: 'run',
    overtaken: more.overtaken ?? [],
    sentAt: { bus: clocks(), database: clocks() },
  })
}

test('a lease that is renewed in time is held since it was claimed', async () => {
  const lease = claim(60_000)
  const claimed = lease.tenure()
  const renewed = await waitFor(() => {
    const tenure = lease.tenure()
    return tenure?.provenAt !== claimed?.provenAt && tenure
  })
  expect(renewed.since).toBe(claimed?.since)
  expect(renewed.provenAt).toBeGreaterThan(claimed?.provenAt ?? Number.POSITIVE_INFINITY)
  await lease.letGo()
})

test('a lease that was not sure for a while is held since it was renewed', async () => {
  const lease = claim(80)
  await waitFor(() => lease.tenure() === undefined)
  const lapsedAt = clocks().monotonic
  const renewed = await waitFor(() => lease.tenure())
  expect(renewed.since).toBeGreaterThanOrEqual(lapsedAt)
  await lease.letGo()
})

test('commands that an exit overtook are stored before they are settled, and shown to a successor until they need not be', async () => {
  const written: (readonly string[])[] = []
  const store: LeaseStore = {
    ...leases,
    write: async ({ overtaken = [] }, revision) => {
      written.push(overtaken)
      return revision + 1
    },
  }
  const lease = claim(60_000, { leases: store, overtaken: ['found'] })
  await lease.breakOrder(['one'])
  expect(written.at(-1)).toEqual(['found', 'one'])
  await lease.breakOrder(['one', 'two'])
  expect(written.at(-1)).toEqual(['found', 'one', 'two'])
  lease.forgetOvertaken('one')
  lease.noteRunThrough()
  expect(await lease.letGo()).toMatchObject({ overtaken: ['two'], inOrder: undefined })
})
