import { existsSync, readFileSync } from 'node:fs'
import { chown, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { startChildServer, waitUntilReady } from './child-server.ts'
import { freePort } from './free-port.ts'
import { query } from './fresh-database.ts'
import { postgresPrograms } from './postgres-program.ts'
import { newPassword, type PostgresIdentity, postgresIdentity } from './postgres-user.ts'
import { runCommand } from './run-command.ts'
import { givenServer, ownServer, type Server } from './server.ts'

interface PostgresOptions {
  dataDir: string
  /** Gives up what survives a crash of the machine for speed. */
  ephemeral?: boolean
}

const role = 'tripline'
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
export async function startOwnPostgres({ dataDir, ephemeral = false }: PostgresOptions): Promise<Server> {
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
  return ownServer(`${url}/${database}`, command, async () => {
    const server = await startChildServer({
      name: 'postgres',
      dataDir,
      command,
      args,
      ...identity,
      stopSignal: 'SIGINT',
    })
    await waitUntilReady(server, () => answers(url))
    await ensureDatabase(url)
    return server
  })
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
