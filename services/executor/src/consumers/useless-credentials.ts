import type { Bus } from '@tripline/kit/bus'
import { answer } from '@tripline/kit/request'
import { listUselessCredentials } from '@tripline/proto/executor-request'
import type { VenuePool } from '../venue/pool.ts'

interface Deps {
  bus: Bus
  pool: Pick<VenuePool, 'problemsOf'>
}

/** Serves, partition by partition, which bots of a user have credentials that are of no use. */
export function uselessCredentialServer({ bus, pool }: Deps): (partition: number) => () => void {
  return (partition) =>
    answer(bus, listUselessCredentials(partition), async ({ userId }) => ({ bots: pool.problemsOf(userId) }))
}
