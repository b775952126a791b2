import { type ChildServer, startChildServer, waitUntilReady } from '@tripline/testkit/infra/child-server'
import { freePort } from '@tripline/testkit/infra/free-port'
import type { Workload } from '@tripline/testkit/k8s/document'
import { type LocalPaths, podArguments, podEnvironment } from '@tripline/testkit/k8s/pod-environment'
import { compileCache } from '@tripline/testkit/stack/service-process'

/** The ground of pods that run without a cluster. */
export interface Ground {
  dataDir: string
  localPaths: LocalPaths
  /** The settings of the site and the bus. */
  site: Readonly<Record<string, string>>
  /** The running servers. */
  running: Set<ChildServer>
}

/** One process of a service. */
export interface Replica {
  port: number
  /** Ends it as Kubernetes does: SIGTERM, and the time that its manifest gives it. */
  end: () => Promise<void>
}

/** Runs what a pod would, and resolves once it is ready. */
export async function startReplica(
  { dataDir, localPaths, site, running }: Ground,
  workload: Workload,
  { name, port, more = {} }: { name: string; port: number; more?: Readonly<Record<string, string>> },
): Promise<Replica> {
  const { terminationGracePeriodSeconds } = workload.pod
  const server = await startChildServer({
    name,
    dataDir,
    command: process.execPath,
    args: podArguments(workload, localPaths),
    env: {
      ...surroundings,
      ...podEnvironment(workload, localPaths, site),
      HOST: '127.0.0.1',
      PORT: `${port}`,
      // Pods have a port of the same number each; here they are on one machine.
      ...(workload.name === 'gateway' ? { METRICS_PORT: `${await freePort()}` } : {}),
      ...more,
    },
    killAfterMs: terminationGracePeriodSeconds * 1000,
  })
  running.add(server)
  await waitUntilReady(server, async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).ok)
  return {
    port,
    end: async () => {
      await server.stop()
      running.delete(server)
    },
  }
}

const surroundings = {
  PATH: process.env['PATH'],
  NODE_ENV: 'production',
  ...compileCache,
}
