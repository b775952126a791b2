import { fork } from 'node:child_process'
import path from 'node:path'
import type { Closers } from '@tripline/testkit/closers'
import { z } from 'zod'

const Port = z.object({ port: z.int() })

/** The address at which a server of this machine is this far away: none is added for 0 ms. */
export async function atDistance(url: string, oneWayMs: number, closers: Closers): Promise<string> {
  if (oneWayMs === 0) return url
  const child = fork(path.join(import.meta.dirname, 'far-away.ts'), {
    execArgv: ['--disable-warning=ExperimentalWarning'],
    env: { ...process.env, TARGET_PORT: new URL(url).port, ONE_WAY_MS: `${oneWayMs}` },
  })
  await closers.add(async () => void child.kill())
  const started = await new Promise((resolve, reject) => {
    child.once('message', resolve)
    child.once('exit', () => reject(new Error('The process that stands for the distance ended')))
  })
  return `http://127.0.0.1:${Port.parse(started).port}`
}
