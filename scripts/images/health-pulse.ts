import { setTimeout as sleep } from 'node:timers/promises'
import { canRun } from '@tripline/testkit/infra/run-command'
import type { Engine } from './engine.ts'

const pauseMs = 500

/** Asks every container for its health again and again, as an engine does that has timers of its own. */
export function pulseHealth(engine: Engine): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const ended = pulse(engine, stopping.signal)
  return {
    stop: () => {
      stopping.abort()
      return ended
    },
  }
}

async function pulse({ podman, env }: Engine, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const ids = await podman('ps', '--quiet').catch(() => '')
    for (const id of ids.split('\n').filter(Boolean))
      if (!signal.aborted) await canRun('podman', ['healthcheck', 'run', id], { env })
    await sleep(pauseMs, undefined, { signal }).catch(() => {})
  }
}
