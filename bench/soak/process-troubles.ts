import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { recordedPid } from '@tripline/testkit/infra/process-record'
import { type ServiceName, serviceNames } from '@tripline/testkit/stack/services'
import { type Stage, steadyExecutor } from './stage.ts'
import type { Trouble } from './trouble.ts'

/** Longest standstill of a process: beyond the term of its leases. */
const longestPauseMs = 5000
const longestAbsenceMs = 3000

// The journal of the exchange, by which the run is judged, is in its memory.
const ended = serviceNames.filter((name) => name !== 'paper-exchange')

/** Kills, orderly ends and standstills of every process. */
export const processTroubles: readonly Trouble[] = [
  ...ended.map(kill),
  ...ended.map(restart),
  ...[...serviceNames, steadyExecutor].map(pause),
]

/** The same without the ends of those whose use of memory is judged: the second executor is judged for the first. */
export const steadyProcessTroubles: readonly Trouble[] = [
  kill('executor'),
  restart('executor'),
  ...serviceNames.map(pause),
]

function kill(service: ServiceName): Trouble {
  return {
    name: `${service}: killed`,
    make: async ({ product }, random) => {
      await product.kill(service)
      await sleep(random.between(0, longestAbsenceMs))
      await product.restart(service)
    },
  }
}

function restart(service: ServiceName): Trouble {
  return {
    name: `${service}: stopped in order`,
    make: async ({ product }) => await product.restart(service),
  }
}

function pause(service: string): Trouble {
  return {
    name: `${service}: paused`,
    make: async ({ product }, random) => {
      await standStill(product.dataDir, service, random.between(100, longestPauseMs))
    },
  }
}

/** Lets a recorded process stand still for so long; nothing happens to one that does not run. */
export async function standStill(dataDir: string, name: string, ms: number): Promise<void> {
  const pid = recordedPid(path.join(dataDir, 'pids', `${name}.json`))
  if (pid === undefined) return
  process.kill(pid, 'SIGSTOP')
  await sleep(ms)
  process.kill(pid, 'SIGCONT')
}

/** Kills a recorded process. */
export function killRecorded({ product }: Pick<Stage, 'product'>, name: string): void {
  const pid = recordedPid(path.join(product.dataDir, 'pids', `${name}.json`))
  if (pid !== undefined) process.kill(pid, 'SIGKILL')
}
