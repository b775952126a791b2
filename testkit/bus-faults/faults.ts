import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { recordedPid } from '../infra/process-record.ts'
import type { Random } from '../random.ts'
import { secondExecutorName } from '../second-executor.ts'
import { waitFor } from '../wait-for.ts'
import { type Bed, type BusServer, ownServices } from './bed.ts'
import { exitText } from './flow.ts'
import { type CutAt, copyStore, cutBack, flipBits, foldersOf, storedParts } from './store-files.ts'

/** Acts and mends, so far as anything mends it; returns its effect in words. */
type Strike = () => Promise<string>

/** Draws a fault's particulars while alerts begin to flow; nothing is struck before the returned act. */
export type Fault = (bed: Bed, random: Random) => Promise<Strike>

/** The streams and buckets that alerts on their way stand on; what keys publishes is left alone. */
const struckStreams = ['ALERTS', 'EVENTS', 'KV_leases', 'KV_progress', 'KV_ids'] as const
/** The first two are struck as often as all others. */
const oftenStruck = [...struckStreams, 'ALERTS', 'ALERTS', 'EVENTS'] as const

/** Both executors of a bed, as they are recorded. */
const executorNames = ['executor', secondExecutorName] as const

const lostSuffix: Fault = async (bed, random) => {
  const streams = random.pick([
    ...oftenStruck.map((stream) => [stream]),
    [...struckStreams],
    [...struckStreams],
  ])
  const servers = someOf(bed.servers, random.pick([1, bed.servers.length]), random)
  const names = [...streams, ...(random.next() < 0.5 ? await groupsOf(bed, streams) : [])]
  const isTorn = random.next() < 0.5
  const records = random.between(1, 60)
  // The worst place: an exit that had ended is there again, and what came behind it is gone.
  const at: CutAt = random.next() < 0.5 ? { behind: exitText } : { records }
  return async () => {
    await endAll(bed.servers, 'SIGKILL')
    const gone = { messages: 0, deletions: 0 }
    for (const { store } of servers) {
      for (const folder of await foldersOf(store, names)) {
        const { messages, deletions } = await cutBack(folder, at, isTorn)
        gone.messages += messages
        gone.deletions += deletions
      }
    }
    await startAll(bed)
    return `${streams.length > 1 ? 'all' : streams} of ${servers.length}${'behind' in at ? ' behind an exit' : ''}: ${gone.messages} messages, ${gone.deletions} deletions`
  }
}

const flippedBits: Fault = async (bed, random) => {
  const stream = random.pick(oftenStruck)
  const servers = someOf(bed.servers, random.pick([1, bed.servers.length]), random)
  const part = random.pick(['messages', ...storedParts] as const)
  const bits = random.between(1, 3)
  // A server writes its index where it ends in order.
  const signal = part === 'index' ? 'SIGTERM' : random.pick(['SIGTERM', 'SIGKILL'] as const)
  return async () => {
    await endAll(bed.servers, signal)
    const places: string[] = []
    for (const { store } of servers) {
      for (const folder of await foldersOf(store, [stream])) {
        places.push(...(await flipBits(folder, part, bits, random)))
      }
    }
    await startAll(bed)
    return `${stream} of ${servers.length} after ${signal}: ${places.join(' ')}`
  }
}

const deletedStream: Fault = async (bed, random) => {
  const stream = random.pick(oftenStruck)
  const noticedMs = random.between(500, 3000)
  return async () => {
    await bed.ops.manager.streams.delete(stream)
    await sleep(noticedMs)
    await bed.setUp()
    return `${stream}, made again after ${noticedMs} ms`
  }
}

const oldMember: Fault = async (bed, random) => {
  const servers = someOf(bed.servers, random.pick([1, 1, 1, 2, 3]), random)
  const copyOf = ({ name }: BusServer): string => path.join(bed.product.dataDir, `old-${name}`)
  for (const server of servers) {
    // A store that is copied while it stands still is one that it had at a moment.
    server.freeze(true)
    await copyStore(server.store, copyOf(server)).finally(() => server.freeze(false))
  }
  return async () => {
    await endAll(servers, 'SIGKILL')
    for (const server of servers) await copyStore(copyOf(server), server.store)
    await startAll(bed)
    return `${servers.length} of ${bed.servers.length}`
  }
}

const paused: Fault = async (bed, random) => {
  const target = random.pick(['server', 'servers', 'executor'] as const)
  const server = random.pick(bed.servers)
  const ms = random.between(500, 8000)
  const executor = random.pick(executorNames)
  const servers = target === 'server' ? [server] : bed.servers
  return async () => {
    const pids = pidsOf(bed, target === 'executor' ? [executor] : [])
    const freeze = (isFrozen: boolean): void => {
      if (target !== 'executor') for (const one of servers) one.freeze(isFrozen)
      signalAll(pids, isFrozen ? 'SIGSTOP' : 'SIGCONT')
    }
    freeze(true)
    await sleep(ms)
    freeze(false)
    return `${target} for ${ms} ms`
  }
}

const partitioned: Fault = async (bed, random) => {
  const isLeader = random.next() < 0.5
  const drawn = random.pick(bed.servers)
  const isUnplugged = random.next() < 0.5
  const ms = random.between(500, 9000)
  return async () => {
    const server = isLeader ? await bed.leaderOf('KV_leases') : drawn
    const cut = isUnplugged && server.unplug !== undefined ? server.unplug : server.cutOff
    await cut(true)
    await sleep(ms)
    await cut(false)
    return `${server.name}, ${cut === server.unplug ? 'from everybody' : 'from the others'}, for ${ms} ms`
  }
}

const allKilled: Fault = async (bed) => async () => {
  const { product, second } = bed
  signalAll(pidsOf(bed, ['postgres', 'redis']), 'SIGKILL')
  await Promise.all([
    endAll(bed.servers, 'SIGKILL'),
    second.kill('SIGKILL'),
    ...ownServices.map(async (name) => await product.kill(name)),
  ])
  await startAll(bed)
  await Promise.all([second.start(), ...ownServices.map(async (name) => await product.restart(name))])
  return `${bed.servers.length} servers, ${ownServices.length + 1} processes`
}

/** Lets alerts wait in half of the rounds: executors stand still before the blow, and go on behind it. */
function overBacklog(fault: Fault): Fault {
  return async (bed, random) => {
    const ms = random.next() < 0.5 ? random.between(500, 2000) : 0
    const strike = await fault(bed, random)
    return async () => {
      if (ms === 0) return await strike()
      const pids = pidsOf(bed, executorNames)
      signalAll(pids, 'SIGSTOP')
      await sleep(ms)
      return `${await strike().finally(() => signalAll(pids, 'SIGCONT'))}, over alerts of ${ms} ms`
    }
  }
}

/** Every fault of the bus, by its name. */
export const faults = {
  'lost-suffix': overBacklog(lostSuffix),
  'flipped-bits': overBacklog(flippedBits),
  'deleted-stream': deletedStream,
  'old-member': overBacklog(oldMember),
  paused,
  partitioned,
  'all-killed': allKilled,
} satisfies Record<string, Fault>
export type FaultName = keyof typeof faults

function pidsOf({ product }: Bed, names: readonly string[]): number[] {
  return names.flatMap((name) => recordedPid(path.join(product.dataDir, 'pids', `${name}.json`)) ?? [])
}

function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) process.kill(pid, signal)
}

function someOf(servers: readonly BusServer[], count: number, random: Random): BusServer[] {
  const left = [...servers]
  while (left.length > count) left.splice(random.between(0, left.length - 1), 1)
  return left
}

async function endAll(servers: readonly BusServer[], signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  await Promise.all(servers.map(async (server) => await server.end(signal)))
}

/** Starts all servers, and makes what they no longer have, as an operator would. */
async function startAll(bed: Bed): Promise<void> {
  await Promise.all(bed.servers.map(async (server) => await server.start()))
  await waitFor(async () => (await missingStreams(bed)) !== undefined, { deadlineMs: 60_000 })
  if ((await missingStreams(bed))?.length !== 0) await bed.setUp()
}

/** The streams that the bus does not have; undefined while it does not answer. */
async function missingStreams({ ops }: Bed): Promise<string[] | undefined> {
  const names: string[] = []
  for await (const name of ops.manager.streams.names()) names.push(name)
  return struckStreams.filter((stream) => !names.includes(stream))
}

/** The groups of servers that copy these streams, none where there is one server. */
async function groupsOf({ ops }: Bed, streams: readonly string[]): Promise<string[]> {
  const groups = await Promise.all(
    streams.map(async (stream) => {
      const { cluster } = await ops.manager.streams.info(stream)
      const group: unknown = cluster && Reflect.get(cluster, 'raft_group')
      return typeof group === 'string' ? [group] : []
    }),
  )
  return groups.flat()
}
