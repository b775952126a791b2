import { type Bus, messageCount } from '@tripline/kit/bus'
import { partitionCount } from '@tripline/proto/subject'
import { openLeaseStore } from '../../services/executor/src/store/lease-store.ts'
import { openMemberStore } from '../../services/executor/src/store/member-store.ts'
import { faultsOfCopies, readCopies } from './copies.ts'

/** An executor, as the bus knows it. */
interface Executor {
  owner: string
  partitions: number
  /** How long ago it said that it is there, in ms; undefined where it takes no part in sharing. */
  seenMs: number | undefined
}

/** How things stand on the bus. */
export interface Status {
  executors: Executor[]
  /** Partitions that were released or never held. */
  free: number
  alerts: number
  /** Events that were not taken yet, by consumer. */
  waiting: Record<string, number>
  /** What is not as it should be with the copies of streams and buckets. */
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
    copyFaults: faultsOfCopies(await readCopies(bus)),
  }
}

async function readExecutors(bus: Bus, now: number): Promise<Executor[]> {
  const seenAt = new Map<string, number>()
  const stopHearing = await (await openMemberStore(bus)).watch((owner, beat) => {
    if (beat === undefined) seenAt.delete(owner)
    else seenAt.set(owner, beat.seenAt)
  })
  const ownerOf = new Map<number, string>()
  const stopWatching = await (await openLeaseStore(bus)).watch(({ partition, owner, isReleased }) => {
    if (isReleased) ownerOf.delete(partition)
    else ownerOf.set(partition, owner)
  })
  stopHearing()
  stopWatching()
  const owners = [...ownerOf.values()]
  return [...new Set([...seenAt.keys(), ...owners])].toSorted().map((owner) => {
    const at = seenAt.get(owner)
    const partitions = owners.filter((one) => one === owner).length
    return { owner, partitions, seenMs: at === undefined ? undefined : Math.round(now - at) }
  })
}

/** The status for people to read. */
export function describeStatus({ executors, free, alerts, waiting, copyFaults }: Status): string {
  const lines = executors.map(({ owner, partitions, seenMs }) => {
    const seen = seenMs === undefined ? 'takes no part in sharing' : `seen ${seenMs} ms ago`
    return `  ${owner}  ${partitions} partitions, ${seen}`
  })
  const events = Object.entries(waiting).map(([name, count]) => `  ${count} events wait for ${name}`)
  return [
    'Executors:',
    ...lines,
    `  ${free} partitions are free`,
    `  ${alerts} alerts in the stream`,
    ...events,
    copyFaults.length === 0
      ? 'Every stream and bucket has its copies.'
      : 'Streams and buckets without their copies:',
    ...copyFaults.map((fault) => `  ${fault}`),
  ].join('\n')
}
