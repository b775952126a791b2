import { mkdirSync, writeFileSync } from 'node:fs'
import { connect as connectTcp } from 'node:net'
import path from 'node:path'
import { z } from 'zod'
import { isVersionAtLeast } from '../version.ts'
import { startChildServer, waitUntilReady } from './child-server.ts'
import { distribution, unpackDebianPackage } from './debian-package.ts'
import { findProgram } from './find-program.ts'
import { freePort } from './free-port.ts'
import { runCommand } from './run-command.ts'
import { givenServer, type OnServerChange, ownServer, type Server } from './server.ts'

interface NatsOptions {
  dataDir: string
  /** A configuration file with the users; without one everybody may do everything. */
  configFile?: string
  /** Limit of what it stores, with its unit; that of production by default. */
  maxFileStore?: string
  /** Has what is acknowledged on the disk, as in production; else a power cut takes up to two minutes. */
  syncsAlways?: boolean | undefined
  /** The address at which it listens, and the words before its command; by default it is this host. */
  host?: { address: string; wrapper: string[] }
  onChange?: OnServerChange | undefined
}

// Older servers bring finished messages back after a crash.
const versionFloor = [2, 10, 27] as const

const thisHost = { address: '127.0.0.1', wrapper: [] }

// The suites that package a server that is new enough, newest first.
const suites: Record<string, string[]> = { debian: ['forky', 'trixie'], ubuntu: ['resolute', 'questing'] }

// Answer of the server's health check where it fails.
const Unhealthy = z.object({ error: z.string() })

const waysOut = `No NATS server >= ${versionFloor.join('.')} was found. Any of these helps:
  - set NATS_URL to a server with JetStream,
  - put nats-server >= ${versionFloor.join('.')} on PATH (https://github.com/nats-io/nats-server/releases),
  - on Debian or Ubuntu: make apt-get work, so that one can be fetched,
  - set TRIPLINE_DOCKER=1 to use a container engine.`

/** A NATS server with JetStream: the one given, else one of our own on a free port of this machine. */
export async function startNats(options: NatsOptions): Promise<Server> {
  const given = givenServer('NATS_URL')
  if (given) return given
  if (process.env['TRIPLINE_DOCKER'] === '1') {
    const { startNatsContainer } = await import('./container.ts')
    return startNatsContainer(options.configFile)
  }
  return startOwnNats(options)
}

/** A NATS server of our own, whatever the environment gives. */
export async function startOwnNats(options: NatsOptions): Promise<Server> {
  const { dataDir, onChange, host = thisHost } = options
  const { address, wrapper } = host
  const command = await natsProgram()
  const port = await freePort()
  const monitor = await freePort()
  const config = writeOwnConfig(options)
  const args = ['-a', address, '-p', String(port), '-m', String(monitor), '-c', config]
  const launch = async () => {
    const server = await startChildServer({ name: 'nats', dataDir, command, args, wrapper })
    await waitUntilReady(server, () => greets(address, port))
    return server
  }
  const fault = () => storageFault(`http://${address}:${monitor}/healthz`)
  return ownServer({ url: `nats://${address}:${port}`, how: command, dataDir, launch, fault, onChange })
}

/** Returns why a server stores nothing any more: a stream that met a full disk stays shut until the next start. */
async function storageFault(page: string): Promise<string | undefined> {
  try {
    const answer = await fetch(page, { signal: AbortSignal.timeout(5000) })
    return answer.status === 503 ? Unhealthy.parse(await answer.json()).error : undefined
  } catch {
    return undefined
  }
}

// Unsaid, it would be three quarters of what is free on the disk, and too little for the rooms of streams on a small one.
const usualFileStore = '16GB'

/** Returns the path of the configuration of a server with these options. */
function writeOwnConfig(options: NatsOptions): string {
  const { dataDir, configFile: users, maxFileStore = usualFileStore, syncsAlways = false } = options
  mkdirSync(dataDir, { recursive: true })
  const file = path.join(dataDir, 'nats-server.conf')
  // A path is taken as one below the folder of the file that names it.
  const include = users === undefined ? '' : `include ${JSON.stringify(path.relative(dataDir, users))}\n`
  const store = JSON.stringify(path.join(dataDir, 'nats'))
  const sync = syncsAlways ? ', sync_interval: always' : ''
  writeFileSync(file, `jetstream { store_dir: ${store}, max_file_store: ${maxFileStore}${sync} }\n${include}`)
  return file
}

/** The path of a NATS server that is new enough; fetched if the machine has none. */
export async function natsProgram(): Promise<string> {
  for (const program of findProgram('nats-server')) if (await isNewEnough(program)) return program
  const failures: unknown[] = []
  for (const suite of suites[(await distribution()) ?? ''] ?? []) {
    const program = await fetchFrom(suite).catch((error) => void failures.push(error))
    if (program && (await isNewEnough(program))) return program
  }
  throw new Error(waysOut, { cause: failures[0] })
}

async function fetchFrom(suite: string): Promise<string | undefined> {
  const folder = await unpackDebianPackage({ name: 'nats-server', suite, withDependencies: false })
  return folder && path.join(folder, 'usr/sbin/nats-server')
}

async function isNewEnough(program: string): Promise<boolean> {
  const said = await runCommand(program, ['--version']).catch(() => '')
  return isVersionAtLeast(said, versionFloor)
}

/** Whether the server says its first line; it does so once it serves clients. */
function greets(address: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connectTcp(port, address)
    const finish = (answer: boolean) => {
      socket.destroy()
      resolve(answer)
    }
    socket.once('data', (chunk) => finish(chunk.toString().startsWith('INFO')))
    socket.once('error', () => finish(false))
    socket.once('close', () => finish(false))
  })
}
