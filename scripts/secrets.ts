import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { newBusSeed, publicBusKey } from '@tripline/kit/bus/nkey'
import { generateKek } from '@tripline/kit/crypto/envelope'
import { generateSealingPair, readOpeningKeys } from '@tripline/kit/crypto/seal'
import { type BusUser, busUsers } from '@tripline/proto/permission'
import { nkeyVariable } from '@tripline/testkit/infra/nats-config'
import { schemas } from '@tripline/testkit/stack/setup-database'

interface Servers {
  /** The database as whoever may create roles in it; without one, the server that comes with the deployment. */
  databaseUrl?: string | undefined
  redisUrl?: string | undefined
  smtpUrl: string
}

/**
 * Fills a folder with a folder for each process, in which each file has the name of a setting and holds its value. Keeps
 * what is there already, so that it can be run again when something is added.
 */
export function writeSecrets(folder: string, servers: Servers): void {
  mkdirSync(folder, { recursive: true })
  // Containers read the files as a user of their own, so the folder above keeps everybody else out.
  chmodSync(folder, 0o700)
  const keep = keeperOf(folder)
  const seal = { executor: sealKeys(keep, 'executor'), notifier: sealKeys(keep, 'notifier') }
  keep('gateway/SEAL_PUBLIC_KEYS', () => seal.executor)
  keep('gateway/NOTIFIER_SEAL_PUBLIC_KEYS', () => seal.notifier)
  const token = keep('executor/INTERNAL_TOKEN', newPassword)
  keep('paper-exchange/INTERNAL_TOKEN', () => token)
  const kek = keep('keys/KEK', () => generateKek('kek-1'))
  keep('auth/KEK', () => kek)
  keep('auth/SMTP_URL', () => servers.smtpUrl)
  keepBusUsers(keep)
  keepDatabase(keep, servers.databaseUrl)
  keepRedis(keep, servers.redisUrl)
}

type Keep = (file: string, make: () => string) => string

function keeperOf(folder: string): Keep {
  return (file, make) => {
    const place = path.join(folder, file)
    mkdirSync(path.dirname(place), { recursive: true })
    if (!existsSync(place)) writeFileSync(place, make(), { mode: 0o644 })
    return readFileSync(place, 'utf8')
  }
}

/** The public keys that belong to the private ones of this service. */
function sealKeys(keep: Keep, service: 'executor' | 'notifier'): string {
  const privateText = keep(
    `${service}/SEAL_PRIVATE_KEYS`,
    () => generateSealingPair(`${service}-1`).privateText,
  )
  return readOpeningKeys(privateText)
    .map(({ id, publicBytes }) => `${id}:${publicBytes.toString('base64url')}`)
    .join(',')
}

function keepBusUsers(keep: Keep): void {
  const folderOf = (user: BusUser): string => (user === 'ops' ? 'setup' : user)
  const lines = busUsers.map((user) => {
    const seed = keep(`${folderOf(user)}/NATS_NKEY_SEED`, newBusSeed)
    return `${nkeyVariable(user)}=${publicBusKey(seed)}\n`
  })
  keep('nats/users.env', () => lines.join(''))
}

function keepDatabase(keep: Keep, given: string | undefined): void {
  const ownServer = (): string =>
    `postgres://postgres:${keep('postgres/POSTGRES_PASSWORD', newPassword)}@postgres:5432/tripline`
  const admin = new URL(keep('setup/DATABASE_URL', () => given ?? ownServer()))
  for (const schema of schemas) {
    const url = new URL(admin)
    url.username = `${admin.pathname.slice(1)}_${schema}`
    url.password = keep(`setup/postgres-${schema}`, newPassword)
    keep(`${schema}/DATABASE_URL`, () => url.href)
  }
}

function keepRedis(keep: Keep, given: string | undefined): void {
  if (given !== undefined) {
    keep('intake/REDIS_URL', () => given)
    return
  }
  const password = newPassword()
  const url = new URL(keep('intake/REDIS_URL', () => `redis://:${password}@valkey:6379`))
  keep('valkey/valkey.conf', () => `requirepass ${url.password}\n`)
}

function newPassword(): string {
  return randomBytes(24).toString('hex')
}

if (import.meta.main) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      'database-url': { type: 'string' },
      'redis-url': { type: 'string' },
      'smtp-url': { type: 'string' },
    },
  })
  const [folder] = positionals
  const smtpUrl = values['smtp-url']
  if (folder === undefined || smtpUrl === undefined)
    throw new Error('Usage: secrets FOLDER --smtp-url URL [--database-url URL] [--redis-url URL]')
  writeSecrets(folder, { smtpUrl, databaseUrl: values['database-url'], redisUrl: values['redis-url'] })
  console.log(`The secrets of each process are in ${folder}.`)
}
