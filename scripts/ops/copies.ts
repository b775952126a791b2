import type { Bus } from '@tripline/kit/bus/bus'
import { buckets, streams } from '@tripline/proto/subject'

/** A copy beside the leader's. */
interface Copy {
  name: string
  current: boolean
  offline: boolean
  lag?: number
}

/** The state of the copies of a stream or bucket as its leader sees them, or why it is unknown. */
export type Copies = { name: string } & (
  | { asked: number; isLed: boolean; others: readonly Copy[] }
  | { fault: string }
)

const names = [...Object.keys(streams), ...Object.keys(buckets).map((bucket) => `KV_${bucket}`)]

/** The copies of every stream and bucket there has to be, as their leaders see them. */
export async function readCopies(bus: Bus): Promise<Copies[]> {
  return await Promise.all(
    names.map(async (name) => {
      try {
        const { config, cluster } = await bus.manager.streams.info(name)
        // A server alone reports no cluster, and one that waits for another to lead of no leader.
        const isLed = cluster === undefined || Boolean(cluster.leader)
        return { name, asked: config.num_replicas, isLed, others: cluster?.replicas ?? [] }
      } catch (error) {
        return { name, fault: error instanceof Error ? error.message : String(error) }
      }
    }),
  )
}

/**
 * Returns the faults of copies, a sentence for each stream or bucket. All are to have as many copies as the one with the
 * most: a set-up gives each the same number.
 */
export function faultsOfCopies(all: readonly Copies[]): string[] {
  const wanted = Math.max(...all.map((one) => ('asked' in one ? one.asked : 0)))
  return all.flatMap((one) => {
    const faults = 'fault' in one ? [one.fault] : faultsOf(one, wanted)
    return faults.length === 0 ? [] : `${one.name}: ${faults.join(', ')}`
  })
}

function faultsOf({ asked, isLed, others }: Extract<Copies, { asked: number }>, wanted: number): string[] {
  const lost = others.filter(({ offline }) => offline)
  const late = others.filter(({ offline, current }) => !offline && !current)
  const live = others.length - lost.length + (isLed ? 1 : 0)
  return [
    ...(asked < wanted ? [`made with ${asked} of ${wanted} copies`] : []),
    ...(live < asked ? [`${live} of ${asked} copies live`] : []),
    ...lost.map(({ name }) => `${name} is offline`),
    ...late.map(({ name, lag = 0 }) => `${name} lags by ${lag} messages`),
  ]
}
