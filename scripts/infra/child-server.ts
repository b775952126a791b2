import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { waitUntil } from '../wait-until.ts'
import { findProgram } from './find-program.ts'
import { runCommand } from './run-command.ts'

/** How a server process is started; its log and process id are kept in the data folder under its name. */
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

const killAfterMs = 10_000

/** Starts a server that dies with this process; a former one left by a killed launcher is ended first. */
export async function startChildServer(options: ChildServerOptions): Promise<ChildServer> {
  const { name, dataDir, stopSignal = 'SIGTERM' } = options
  for (const folder of ['logs', 'pids']) mkdirSync(path.join(dataDir, folder), { recursive: true })
  const pidFile = path.join(dataDir, 'pids', `${name}.json`)
  await endFormer(pidFile)
  const logFile = path.join(dataDir, 'logs', `${name}.log`)
  const child = spawnBound(options, logFile)
  if (child.pid)
    writeFileSync(pidFile, JSON.stringify({ pid: child.pid, words: [options.command, ...options.args] }))
  const hasEnded = () => child.pid === undefined || child.exitCode !== null || child.signalCode !== null
  const stop = async () => {
    await endChild(child, hasEnded, stopSignal)
    rmSync(pidFile, { force: true })
  }
  return { child, logFile, hasEnded, stop }
}

/** Resolves when the server answers; when it ends before, the error carries the end of its log. */
export async function waitUntilReady(
  server: ChildServer,
  isReady: () => Promise<boolean>,
  deadlineMs = 20_000,
) {
  await waitUntil(async () => server.hasEnded() || (await isReady()), { deadlineMs, what: server.logFile })
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
  child.on('error', (error) => writeFileSync(logFile, `${error.message}\n`, { flag: 'a' }))
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

async function endChild(child: ChildProcess, hasEnded: () => boolean, signal: NodeJS.Signals): Promise<void> {
  if (hasEnded()) return
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  child.kill(signal)
  const killer = setTimeout(() => child.kill('SIGKILL'), killAfterMs)
  await ended
  clearTimeout(killer)
}

async function endFormer(pidFile: string): Promise<void> {
  const former = readFormer(pidFile)
  if (!former || !(await isRunning(former))) return
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    process.kill(former.pid, signal)
    for (let waitedMs = 0; waitedMs < killAfterMs; waitedMs += 50) {
      if (!(await isRunning(former))) return
      await sleep(50)
    }
  }
}

interface Former {
  pid: number
  words: string[]
}

function readFormer(pidFile: string): Former | undefined {
  try {
    return JSON.parse(readFileSync(pidFile, 'utf8'))
  } catch {
    return undefined
  }
}

// The number may belong to a stranger by now, so the whole command has to match.
async function isRunning({ pid, words }: Former): Promise<boolean> {
  try {
    return (await runCommand('ps', ['-ww', '-o', 'args=', '-p', String(pid)]))
      .trim()
      .endsWith(words.join(' '))
  } catch {
    return false
  }
}
