import { type Bus, messageCount, type StreamUse, streamUse } from '@tripline/kit/bus/bus'
import { now } from '@tripline/kit/time/clock'
import { type StreamName, streams } from '@tripline/proto/subject'
import type { ExecutorMetrics } from '../metrics.ts'
import type { Ownership } from '../sharing/ownership.ts'
import type { RollBacks } from '../sharing/roll-backs.ts'
import type { VenueConnections } from '../venue/connections.ts'
import { endpointsOf } from '../venue/endpoint.ts'
import type { VenuePool } from '../venue/pool.ts'
import type { Watches } from '../watching/watches.ts'
import type { Doubts } from './doubts.ts'

/** Holdings of an executor. */
export interface Holdings {
  bus: Bus
  ownership: Pick<Ownership, 'counts'>
  pool: Pick<VenuePool, 'counts'>
  watching: Pick<Watches, 'count' | 'bareCounts'>
  doubts: Doubts
  connections: VenueConnections
}

/** Lets the gauges follow what an executor holds; all of it is looked up only when they are read. */
export function followHoldings(metrics: ExecutorMetrics, holdings: Holdings): void {
  const { bus, ownership, pool, watching, doubts } = holdings
  // A leaving process does not listen any more to who takes what.
  const counts = () => [ownership.counts()].filter((known) => known !== undefined)
  metrics.partitionsHeld.follow(() => counts().map(({ held }) => [{}, held]))
  metrics.partitionsUnserved.follow(() => counts().map(({ unserved }) => [{}, unserved]))
  metrics.watches.follow(() => [[{}, watching.count()]])
  metrics.barePositions.follow(() => {
    const { open, unknown } = watching.bareCounts()
    return [
      [{ position: 'open' }, open],
      [{ position: 'unknown' }, unknown],
    ]
  })
  metrics.unknownOrders.follow(() => [[{}, doubts.count()]])
  metrics.unknownAge.follow(() => {
    const since = doubts.oldest()
    return [[{}, since === undefined ? 0 : Math.max(0, now() - since) / 1000]]
  })
  metrics.bots.follow(() => {
    const { open, opening } = pool.counts()
    return [
      [{ state: 'open' }, open],
      [{ state: 'opening' }, opening],
    ]
  })
  // A scrape does not wait for a bus that is away.
  metrics.alertsStored.follow(async () =>
    bus.isConnected() ? [[{}, await messageCount(bus, 'ALERTS')]] : [],
  )
  metrics.streamBytes.follow(async () => await usesOfStreams(bus, ({ bytes }) => bytes))
  metrics.streamRooms.follow(async () => await usesOfStreams(bus, ({ room }) => room))
  metrics.copiesBehind.follow(async () => await usesOfStreams(bus, ({ copiesBehind }) => copiesBehind))
  metrics.oldestAlert.follow(async () => {
    if (!bus.isConnected()) return []
    return [[{}, ageOfOldest(await streamUse(bus, 'ALERTS'))]]
  })
  metrics.oldestEvent.follow(async () => {
    if (!bus.isConnected()) return []
    return [[{}, ageOfOldest(await streamUse(bus, 'EVENTS'))]]
  })
  followEndpoints(metrics, holdings.connections)
}

/** For so long a roll-back of the bus is shown. */
const shownMs = 3_600_000

/** Lets a gauge show that the bus was rolled back lately, as long as people are to look at what that did. */
export function followRollBacks(
  { rolledBack }: ExecutorMetrics,
  { rolledBackAt }: Pick<RollBacks, 'rolledBackAt'>,
): void {
  rolledBack.follow(() => [[{}, now() - (rolledBackAt() ?? 0) < shownMs ? 1 : 0]])
}

function ageOfOldest({ oldestAt }: StreamUse): number {
  return oldestAt === undefined ? 0 : Math.max(0, now() - oldestAt) / 1000
}

async function usesOfStreams(
  bus: Bus,
  figureOf: (use: StreamUse) => number,
): Promise<(readonly [{ stream: StreamName }, number])[]> {
  if (!bus.isConnected()) return []
  const names = Object.keys(streams) as StreamName[]
  return await Promise.all(
    names.map(async (stream) => [{ stream }, figureOf(await streamUse(bus, stream))] as const),
  )
}

function followEndpoints(metrics: ExecutorMetrics, connections: VenueConnections): void {
  const { clocks, bans, budgets, accountBudgets } = metrics
  clocks.follow(() => endpointsOf(connections).map(({ name, aheadMs }) => [{ site: name }, aheadMs() / 1000]))
  bans.follow(() =>
    endpointsOf(connections).map(({ name, isBanned }) => [{ site: name }, isBanned() ? 1 : 0]),
  )
  budgets.follow(() => endpointsOf(connections).map(({ name, budgetLeft }) => [{ site: name }, budgetLeft()]))
  // An account has no label of its own: the gauge shows the account with the least left.
  accountBudgets.follow(() =>
    endpointsOf(connections).map(({ name, usage }) => [{ site: name }, usage.accounts.read()]),
  )
}
