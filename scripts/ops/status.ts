import { type Bus, messageCount } from '@tripline/kit/bus/bus'
import { durables, partitionCount } from '@tripline/proto/subject'
import { openLeaseStore } from '../../services/executor/src/store/lease-store.ts'
import { type Beat, openMemberStore } from '../../services/executor/src/store/member-store.ts'
import { faultsOfCopies, readCopies } from './copies.ts'

/** An executor, as the bus knows it. */
interface Executor {
  owner: string
  partitions: number
  /** The age of its last heartbeat, in ms; undefined where it takes no part in sharing. */
  seenMs: number | undefined
  /** The number of kinds of new or unreadable fields that exchanges sent it today. */
  drifts: number
  /** The time at which the bus was found to have been rolled back, as far as it knows. */
  rolledBackAt: number | undefined
}

/** The state of the bus. */
export interface Status {
  executors: Executor[]
  /** Partitions that were released or never held. */
  free: number
  alerts: number
  /** Events that were not taken yet, by consumer. */
  waiting: Record<string, number>
  /** Durable consumers that are gone: what they take stays untaken. */
  gone: string[]
  /** The faults of the copies of streams and buckets. */
  copyFaults: string[]
}

/** Reads how things stand; `now` is the wall clock. */
export async function readStatus(bus: Bus, now: number): Promise<Status> {
  const executors = await readExecutors(bus, now)
  const held = executors.reduce((sum, { partitions }) => sum + partitions, 0)
  const consumers = await bus.manager.consumers.list('EVENTS').next()
  const waiting = consumers.flatMap(({ name, config, num_pending, num_ack_pending }) =>
    config.durable_name === undefined ? [] : [[name, num_pending + num_ack_pending] as const],
  )
  return {
    executors,
    free: partitionCount - held,
    alerts: await messageCount(bus, 'ALERTS'),
    waiting: Object.fromEntries(waiting),
    gone: Object.keys(durables).filter((durable) => consumers.every(({ name }) => name !== durable)),
    copyFaults: faultsOfCopies(await readCopies(bus)),
  }
}

async function readExecutors(bus: Bus, now: number): Promise<Executor[]> {
  const beats = new Map<string, Beat>()
  const stopMembers = await (await openMemberStore(bus)).watch((owner, beat) => {
    if (beat === undefined) beats.delete(owner)
    else beats.set(owner, beat)
  })
  const ownerOf = new Map<number, string>()
  const stopWatching = await (await openLeaseStore(bus)).watch(({ partition, owner, isReleased }) => {
    if (isReleased) ownerOf.delete(partition)
    else ownerOf.set(partition, owner)
  })
  stopMembers()
  stopWatching()
  return listExecutors(beats, [...ownerOf.values()], now)
}

/** Executors say each second that they are there; clocks of machines may differ. */
const seenLatelyMs = 10_000

/** True of an executor that said lately that it is there. */
export function isSeenLately({ seenMs }: Pick<Executor, 'seenMs'>): boolean {
  return seenMs !== undefined && seenMs < seenLatelyMs
}

/**
 * The executors of what they said last and of who holds each partition, by name. The bus keeps what a dead one said for two
 * minutes: it is listed as long as it holds something.
 */
export function listExecutors(
  beats: ReadonlyMap<string, Beat>,
  owners: readonly string[],
  now: number,
): Executor[] {
  const all = [...new Set([...beats.keys(), ...owners])].toSorted().map((owner): Executor => {
    const beat = beats.get(owner)
    const partitions = owners.filter((one) => one === owner).length
    // Heartbeats that arrive during the reading are later than `now`.
    const seenMs = beat === undefined ? undefined : Math.max(0, Math.round(now - beat.seenAt))
    return { owner, partitions, seenMs, drifts: beat?.drifts ?? 0, rolledBackAt: beat?.rolledBackAt }
  })
  return all.filter((executor) => executor.partitions > 0 || isSeenLately(executor))
}

function presenceOf({ seenMs }: Executor): string {
  if (seenMs === undefined) return 'takes no part in sharing'
  if (isSeenLately({ seenMs })) return `seen ${seenMs} ms ago`
  return `gone: last seen ${Math.round(seenMs / 1000)} s ago, nobody has taken them over`
}

/** The status for people to read. */
export function describeStatus({ executors, free, alerts, waiting, gone, copyFaults }: Status): string {
  const lines = executors.map(
    (executor) => `  ${executor.owner}  ${executor.partitions} partitions, ${presenceOf(executor)}`,
  )
  const drifts = executors.filter(({ drifts }) => drifts > 0)
  const rolledBackAt = Math.max(0, ...executors.map((executor) => executor.rolledBackAt ?? 0))
  const events = Object.entries(waiting).map(([name, count]) => `  ${count} events wait for ${name}`)
  return [
    'Executors:',
    ...lines,
    `  ${free} partitions are free`,
    `  ${alerts} alerts in the stream`,
    ...events,
    ...gone.map((name) => `  ${name} is gone, its events are not taken: npm run setup makes it again`),
    ...(rolledBackAt === 0
      ? []
      : [
          `The bus was found rolled back at ${new Date(rolledBackAt).toISOString()} (see TriplineBusRolledBack).`,
        ]),
    copyFaults.length === 0
      ? 'Every stream and bucket has its copies.'
      : 'Streams and buckets without their copies:',
    ...copyFaults.map((fault) => `  ${fault}`),
    drifts.length === 0
      ? 'Exchanges sent nothing today that was new or could not be read.'
      : 'Exchanges sent fields that were new or could not be read (see TriplineVenueDrift):',
    ...drifts.map(({ owner, drifts }) => `  ${owner}  ${drifts} kinds today`),
  ].join('\n')
}
