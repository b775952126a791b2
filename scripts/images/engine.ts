import { rm } from 'node:fs/promises'
import type { Closers } from '@tripline/testkit/closers'
import { startChildServer, waitUntilReady } from '@tripline/testkit/infra/child-server'
import { canRun, runCommand } from '@tripline/testkit/infra/run-command'
import { engineAddress, engineDir, overlayDir, runDir, writeEngineSettings } from './engine-settings.ts'
import { keepFirewall } from './firewall.ts'

/** A podman with images, networks and containers of its own. */
export interface Engine {
  /** Runs podman; returns its output. */
  podman(...args: string[]): Promise<string>
  /** The environment in which other programs reach it. */
  readonly env: NodeJS.ProcessEnv
  /** Aborted when everything is to end. */
  readonly signal: AbortSignal
}

/** Starts the engine, without the containers that a killed run left; at the end only its images are left. */
export async function startEngine(closers: Closers): Promise<Engine> {
  const env = await writeEngineSettings()
  const stopping = new AbortController()
  const engine: Engine = {
    podman: (...args) => runCommand('podman', args, { env, signal: stopping.signal }),
    env,
    signal: stopping.signal,
  }
  await closers.add(await keepFirewall())
  await closers.add(() => rm(runDir, { recursive: true, force: true }))
  await closers.add(() => runCommand('umount', [overlayDir]))
  await closers.add(() => removeAll(env))
  await removeAll(env)
  const args = ['system', 'service', '--time', '0', engineAddress]
  const server = await startChildServer({ name: 'podman', dataDir: engineDir, command: 'podman', args, env })
  await closers.add(server.stop)
  await closers.add(async () => stopping.abort())
  await waitUntilReady(server, () => canRun('podman', ['--url', engineAddress, 'version'], { env }))
  return engine
}

/** Removes everything but images that have a name. */
async function removeAll(env: NodeJS.ProcessEnv): Promise<void> {
  const podman = (...args: string[]): Promise<string> => runCommand('podman', args, { env })
  await podman('rm', '--all', '--force', '--time', '5')
  // A build that was broken off leaves containers that only count as somebody else's.
  const ids = await podman('ps', '--all', '--external', '--quiet')
  for (const id of ids.split('\n').filter(Boolean)) await podman('rm', '--force', id)
  for (const kind of ['volume', 'network', 'image']) await podman(kind, 'prune', '--force')
}
