import { fork } from 'node:child_process'
import path from 'node:path'
import type { Closers } from '@tripline/testkit/closers'
import { startOwnNats } from '@tripline/testkit/infra/nats'
import { temporaryFolder } from '@tripline/testkit/infra/temporary-folder'
import { paperControl } from '@tripline/testkit/paper-control'
import { z } from 'zod'
import { connectLeanBus, leanAlerts, leanStream } from './lean-bus.ts'

const Port = z.object({ port: z.int() })

/** Starts the peer, one process from the webhook to the exchange; returns its address for alerts. */
export async function startLean(paperUrl: string, closers: Closers): Promise<string> {
  return doorOf(await started('lean-handler.ts', await accountAt(paperUrl), closers))
}

/**
 * Starts the limit, two processes with a stream of a bus of their own between them; returns their address for alerts.
 */
export async function startLeanOverBus(paperUrl: string, closers: Closers): Promise<string> {
  const busUrl = await startLeanBus(closers)
  await started('lean-executor.ts', { ...(await accountAt(paperUrl)), LEAN_BUS_URL: busUrl }, closers)
  return doorOf(await started('lean-intake.ts', { LEAN_BUS_URL: busUrl }, closers))
}

async function startLeanBus(closers: Closers): Promise<string> {
  const { folder, remove } = await temporaryFolder()
  await closers.add(remove)
  const server = await startOwnNats({ dataDir: folder })
  await closers.add(server.stop)
  const bus = await connectLeanBus(server.url)
  // In a file, as streams are where nothing else is said.
  await bus.manager.streams.add({ name: leanStream, subjects: [leanAlerts] })
  await bus.close()
  return server.url
}

async function accountAt(paperUrl: string): Promise<NodeJS.ProcessEnv> {
  const { apiKey, secret } = await paperControl(paperUrl).openAccount()
  return { PAPER_URL: paperUrl, API_KEY: apiKey, API_SECRET: secret }
}

/** Starts a process of this folder; returns its output once it takes alerts. */
async function started(file: string, env: NodeJS.ProcessEnv, closers: Closers): Promise<unknown> {
  const child = fork(path.join(import.meta.dirname, file), {
    execArgv: ['--disable-warning=ExperimentalWarning'],
    env: { ...process.env, ...env },
  })
  await closers.add(async () => void child.kill())
  return await new Promise((resolve, reject) => {
    child.once('message', resolve)
    child.once('exit', () => reject(new Error(`${file} ended`)))
  })
}

function doorOf(said: unknown): string {
  return `http://127.0.0.1:${Port.parse(said).port}`
}
