import type { Bus } from '@tripline/kit/bus/bus'
import { serve } from '@tripline/kit/bus/request'
import { diagnoseBots } from '@tripline/proto/executor-request'
import type { VenuePool } from '../venue/pool.ts'

interface Deps {
  bus: Bus
  pool: Pick<VenuePool, 'problemsOf' | 'connectedOf'>
}

/** Serves, partition by partition, which bots of a user have credentials that are of no use, and which are connected. */
export function botDiagnosisServer({ bus, pool }: Deps): (partition: number) => () => void {
  return (partition) =>
    serve(bus, diagnoseBots(partition), async ({ userId }) => ({
      bots: pool.problemsOf(userId),
      connected: pool.connectedOf(userId),
    }))
}
