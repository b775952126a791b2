import path from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ChildServer, startChildServer } from '../infra/child-server.ts'
import { rootDir } from '../paths.ts'
import { openLogFile } from './log-file.ts'
import { serviceCommand } from './service-command.ts'

/** The options of running a service, and the listeners to its output. */
export interface ServiceOptions {
  name: string
  /** The folder with `src/main.ts`, from the root of the repository. */
  folder: string
  dataDir: string
  env: NodeJS.ProcessEnv
  onLine: (line: string) => void
  onDeath: (how: string) => void
  onLogFault?: (error: Error) => void
}

/** A service as a process of its own, started again after it dies unless that was asked for. */
export interface ServiceProcess {
  /** Starts it if it does not run. */
  start(): Promise<void>
  /** Ends it with the signal and leaves it ended; resolves when the process is gone. */
  kill(signal: NodeJS.Signals): Promise<void>
  /** Lets it finish in order and leaves it ended. */
  stop(): Promise<void>
}

/** The setting with which a process keeps its compiled code, which halves the time to its first line. */
export const compileCache = { NODE_COMPILE_CACHE: path.join(rootDir, 'node_modules/.cache/compile') }

const restartAfterMs = 500
const slowestRestartMs = 5000
// A service that lived this long has recovered from what killed the one before.
const recoveredAfterMs = 30_000

/** A service that is not running yet. */
export function serviceProcess(options: ServiceOptions): ServiceProcess {
  let running: ChildServer | undefined
  let isWanted = false
  let deaths = 0

  const launch = async () => {
    const startedAt = performance.now()
    const server = await spawnService(options)
    running = server
    server.child.once('exit', (code, signal) => {
      if (isWanted && running === server) void revive(signal ?? `code ${code}`, performance.now() - startedAt)
    })
  }
  const revive = async (how: string, livedMs: number) => {
    deaths = livedMs > recoveredAfterMs ? 1 : deaths + 1
    options.onDeath(how)
    await sleep(pauseAfter(deaths))
    if (isWanted) await launch()
  }
  const start = async () => {
    isWanted = true
    if (!running || running.hasEnded()) await launch()
  }
  const kill = async (signal: NodeJS.Signals) => {
    isWanted = false
    if (!running || running.hasEnded()) return
    const { child } = running
    const gone = new Promise((resolve) => child.once('exit', resolve))
    child.kill(signal)
    await gone
  }
  const stop = async () => {
    isWanted = false
    await running?.stop()
  }
  return { start, kill, stop }
}

/** Returns how long a service rests after so many deaths in a row; the first may be an accident, and costs no rest. */
export function pauseAfter(deaths: number): number {
  return deaths <= 1 ? 0 : Math.min(restartAfterMs * 2 ** (deaths - 2), slowestRestartMs)
}

async function spawnService(options: ServiceOptions): Promise<ChildServer> {
  const { name, folder, dataDir, env, onLine, onLogFault = () => undefined } = options
  const command = serviceCommand(folder)
  const server = await startChildServer({
    name,
    dataDir,
    command: process.execPath,
    args: command.args,
    env: { ...env, ...command.env },
    output: 'pipe',
  })
  const log = openLogFile(server.logFile, onLogFault)
  for (const stream of [server.child.stdout, server.child.stderr]) {
    if (stream)
      createInterface({ input: stream }).on('line', (line) => {
        log.write(line)
        onLine(line)
      })
  }
  return server
}
