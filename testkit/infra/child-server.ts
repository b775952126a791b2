import { type ChildProcess, spawn } from 'node:child_process'
import { appendFile, closeSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { waitUntil } from '../wait-until.ts'
import { findProgram } from './find-program.ts'
import { endRecorded, removeRecord, writeRecord } from './process-record.ts'

/** The options of a server process; its log and process id are stored in the data folder under its name. */
export interface ChildServerOptions {
  name: string
  dataDir: string
  command: string
  args: string[]
  env?: NodeJS.ProcessEnv
  user?: { uid: number; gid: number }
  /** Words put before everything else. */
  wrapper?: string[]
  stopSignal?: NodeJS.Signals
  /** The time it may take to end before it is killed. */
  killAfterMs?: number
  /** `pipe` leaves what it prints to the caller, otherwise it goes to the log. */
  output?: 'log' | 'pipe'
}

/** A running server process of ours. */
export interface ChildServer {
  readonly child: ChildProcess
  readonly logFile: string
  hasEnded(): boolean
  stop(): Promise<void>
}

const usualKillAfterMs = 10_000

// A system that cannot tie a child to its parent's life keeps none at least after an orderly end.
const living = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of living) child.kill()
})

/** Starts a server that dies with this process; a former one left by a killed launcher is ended first. */
export async function startChildServer(options: ChildServerOptions): Promise<ChildServer> {
  const { name, dataDir, command, args, stopSignal = 'SIGTERM', killAfterMs = usualKillAfterMs } = options
  for (const folder of ['logs', 'pids']) mkdirSync(path.join(dataDir, folder), { recursive: true })
  const record = path.join(dataDir, 'pids', `${name}.json`)
  await endRecorded(record)
  const logFile = path.join(dataDir, 'logs', `${name}.log`)
  const child = spawnBound(options, logFile)
  if (child.pid) writeRecord(record, { pid: child.pid, words: [command, ...args] })
  const hasEnded = () => child.pid === undefined || child.exitCode !== null || child.signalCode !== null
  const stop = async () => {
    if (!hasEnded()) await endChild(child, stopSignal, killAfterMs)
    removeRecord(record)
  }
  return { child, logFile, hasEnded, stop }
}

/** Ends what a launcher that was killed left behind on a data folder, all at once. */
export async function endLeftovers(dataDir: string): Promise<void> {
  const folder = path.join(dataDir, 'pids')
  const files = existsSync(folder) ? readdirSync(folder) : []
  await Promise.all(files.map((file) => endRecorded(path.join(folder, file))))
}

/** Resolves when the server answers; when it ends before, the error carries the end of its log. */
export async function waitUntilReady(server: ChildServer, isReady: () => Promise<boolean>): Promise<void> {
  const settled = async () => server.hasEnded() || (await isReady())
  await waitUntil(settled, {
    deadlineMs: 30_000,
    awaited: `${path.basename(server.logFile, '.log')} to answer`,
  })
  if (!server.hasEnded()) return
  const tail = readFileSync(server.logFile, 'utf8').trim().split('\n').slice(-15).join('\n')
  throw new Error(`${path.basename(server.logFile, '.log')} ended while starting:\n${tail}`)
}

function spawnBound(options: ChildServerOptions, logFile: string): ChildProcess {
  const log = openSync(logFile, 'a')
  const output = options.output === 'pipe' ? 'pipe' : log
  const [setpriv] = findProgram('setpriv')
  const [command = '', ...args] = commandLine(options, setpriv)
  const child = spawn(command, args, {
    // A session of its own keeps the terminal's Ctrl-C away, so that the launcher decides the order of the end.
    detached: true,
    stdio: ['ignore', output, output],
    cwd: '/',
    env: options.env ?? process.env,
    ...(setpriv ? {} : options.user),
  })
  child.on('error', (error) => appendFile(logFile, `${error.message}\n`, () => undefined))
  child.once('exit', () => living.delete(child))
  living.add(child)
  closeSync(log)
  return child
}

/** The command, tied to the life of this process where the system can do that. */
function commandLine(options: ChildServerOptions, setpriv: string | undefined): string[] {
  const { command, args, user, wrapper = [], stopSignal = 'SIGTERM' } = options
  if (!setpriv) return [...wrapper, command, ...args]
  const identity = user ? [`--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups'] : []
  return [...wrapper, setpriv, ...identity, '--pdeathsig', stopSignal.slice(3), '--', command, ...args]
}

async function endChild(child: ChildProcess, signal: NodeJS.Signals, killAfterMs: number): Promise<void> {
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  child.kill(signal)
  const killer = setTimeout(() => child.kill('SIGKILL'), killAfterMs)
  await ended
  clearTimeout(killer)
}
