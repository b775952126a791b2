import { existsSync, readFileSync } from 'node:fs'
import { chown, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { waitUntil } from '../wait-until.ts'
import { startChildServer, waitUntilReady } from './child-server.ts'
import { freePort } from './free-port.ts'
import { query } from './fresh-database.ts'
import { postgresPrograms } from './postgres-program.ts'
import { newPassword, type PostgresIdentity, postgresIdentity } from './postgres-user.ts'
import { runCommand } from './run-command.ts'
import { givenServer, type OnServerChange, ownServer, type Server } from './server.ts'

interface PostgresOptions {
  dataDir: string
  /** Gives up what survives a crash of the machine for speed. */
  ephemeral?: boolean
  onChange?: OnServerChange | undefined
}

const role = 'tripline'
// A server that was killed may leave a long query behind.
const leftWithinMs = 60_000
const database = 'tripline'
const ephemeralSettings = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off']

/** A PostgreSQL: the one given, else one of our own on a free port of this machine. */
export async function startPostgres(options: PostgresOptions): Promise<Server> {
  const given = givenServer('DATABASE_URL')
  if (given) return given
  if (process.env['TRIPLINE_DOCKER'] === '1') {
    const { startPostgresContainer } = await import('./container.ts')
    return startPostgresContainer()
  }
  return startOwnPostgres(options)
}

/** A PostgreSQL of our own, whatever the environment gives. */
export async function startOwnPostgres(options: PostgresOptions): Promise<Server> {
  const { dataDir, ephemeral = false, onChange } = options
  const home = path.join(dataDir, 'postgres')
  const cluster = path.join(home, 'cluster')
  await mkdir(home, { recursive: true })
  const programs = await postgresPrograms(clusterVersion(cluster))
  const identity = await postgresIdentity(home, path.join(programs, 'postgres'))
  const password = await ownerPassword(dataDir)
  if (!existsSync(cluster)) await initCluster(cluster, programs, identity, password)
  const command = path.join(programs, 'postgres')
  const port = await freePort()
  const args = ['-D', cluster, '-p', String(port), ...settings(ephemeral)]
  const url = `postgres://${role}:${password}@127.0.0.1:${port}`
  const child = { name: 'postgres', dataDir, command, args, ...identity, stopSignal: 'SIGINT' } as const
  const launch = async () => {
    await leftByFormer(cluster)
    const server = await startChildServer(child)
    await waitUntilReady(server, () => answers(url))
    await ensureDatabase(url)
    return server
  }
  const patiently = () => againWhile(isClusterInUse, launch)
  return ownServer({ url: `${url}/${database}`, how: command, dataDir, launch: patiently, onChange })
}

function settings(ephemeral: boolean): string[] {
  const always = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_connections=300']
  return [...always, ...(ephemeral ? ephemeralSettings : [])].flatMap((setting) => ['-c', setting])
}

function clusterVersion(cluster: string): string | undefined {
  const file = path.join(cluster, 'PG_VERSION')
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined
}

async function ownerPassword(dataDir: string): Promise<string> {
  const file = path.join(dataDir, 'keys', 'postgres-password')
  if (existsSync(file)) return readFile(file, 'utf8')
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 })
  const password = newPassword()
  await writeFile(file, password, { mode: 0o600 })
  return password
}

// Made beside its place and then renamed, since an interrupted initdb leaves a folder that no server starts on.
async function initCluster(cluster: string, programs: string, identity: PostgresIdentity, password: string) {
  const fresh = `${cluster}-new`
  const passwordFile = `${cluster}-password`
  await rm(fresh, { recursive: true, force: true })
  await writeFile(passwordFile, password, { mode: 0o600 })
  if (identity.user) await chown(passwordFile, identity.user.uid, identity.user.gid)
  const options = ['--username', role, '--auth=scram-sha-256', `--pwfile=${passwordFile}`]
  const line = [...identity.wrapper, path.join(programs, 'initdb'), '-D', fresh, ...options]
  const [command = '', ...args] = [...line, '--encoding=UTF8', '--locale=C', '--no-sync']
  await runCommand(command, args, { cwd: '/', ...identity.user })
  await rm(passwordFile)
  await rename(fresh, cluster)
}

/**
 * Settles once the server of a launcher that was killed has left the cluster, where it may be writing still. Its file
 * is taken away where it has ended without that: PostgreSQL believes in any process of that number.
 */
async function leftByFormer(cluster: string): Promise<void> {
  const file = path.join(cluster, 'postmaster.pid')
  const isFree = async () => {
    const pid = Number.parseInt(await readFile(file, 'utf8').catch(() => ''), 10)
    if (Number.isNaN(pid)) return true
    const line = await runCommand('ps', ['-ww', '-o', 'state=,args=', '-p', String(pid)]).catch(() => '')
    if (!line.startsWith('Z') && line.includes(cluster)) return false
    await rm(file, { force: true })
    return true
  }
  await waitUntil(isFree, {
    deadlineMs: leftWithinMs,
    awaited: `the PostgreSQL of a former start to leave ${cluster}`,
  })
}

/** True where processes of a killed server still work on the cluster: they end by themselves. */
function isClusterInUse(error: unknown): boolean {
  return error instanceof Error && /shared memory block .* still in use/.test(error.message)
}

async function againWhile<T>(isPassing: (error: unknown) => boolean, act: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + leftWithinMs
  for (;;) {
    try {
      return await act()
    } catch (error) {
      if (!isPassing(error) || performance.now() > deadline) throw error
      await sleep(250)
    }
  }
}

async function answers(url: string): Promise<boolean> {
  return query(`${url}/postgres`, 'select 1').then(
    () => true,
    () => false,
  )
}

async function ensureDatabase(url: string): Promise<void> {
  const exists = await query(`${url}/postgres`, `select from pg_database where datname = '${database}'`)
  if (exists === 0) await query(`${url}/postgres`, `create database ${database}`)
}
