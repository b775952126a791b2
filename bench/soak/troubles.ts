import { setTimeout as sleep } from 'node:timers/promises'
import { paperControl } from '@tripline/testkit/paper-control'
import type { Random } from '@tripline/testkit/random'
import { exchangeTroubles } from './exchange-troubles.ts'
import { processTroubles, steadyProcessTroubles } from './process-troubles.ts'
import { serverTroubles } from './server-troubles.ts'
import type { Stage } from './stage.ts'
import type { Trouble } from './trouble.ts'

/** A trouble that was made, and when it began and was over, by the monotonic clock. */
export interface MadeTrouble {
  name: string
  from: number
  until: number
}

const [leastPauseMs, longestPauseMs] = [300, 2500]

/**
 * Makes trouble of the exchange, of processes and of servers at once, each a random one after the other, until it is
 * stopped; returns them. Processes whose use is judged are not ended where they are to be steady.
 */
export async function makeTroubles(
  stage: Stage,
  randoms: Readonly<Record<'exchange' | 'process' | 'server', Random>>,
  { isSteady, stopping }: { isSteady: boolean; stopping: AbortSignal },
): Promise<MadeTrouble[]> {
  const made: MadeTrouble[] = []
  const makeOf = async (kinds: readonly Trouble[], random: Random): Promise<void> => {
    while (!stopping.aborted) {
      await sleep(random.between(leastPauseMs, longestPauseMs), undefined, { signal: stopping }).catch(
        () => undefined,
      )
      if (stopping.aborted) return
      const { name, make } = random.pick(kinds)
      const from = performance.now()
      await make(stage, random)
      made.push({ name, from, until: performance.now() })
    }
  }
  await Promise.all([
    makeOf(exchangeTroubles, randoms.exchange),
    makeOf(isSteady ? steadyProcessTroubles : processTroubles, randoms.process),
    makeOf(serverTroubles, randoms.server),
  ])
  await paperControl(stage.product.urls.paper).clearFaults()
  return made
}
