import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { migrate, openDatabase } from '@tripline/kit/postgres'
import { createLog } from '@tripline/kit/telemetry/log'
import { Client } from 'pg'
import { rootDir } from '../paths.ts'
import { ensureSecret } from './local-keys.ts'

/** The services that keep rows, each in a schema of its own name. */
export const schemas = ['auth', 'keys', 'intake', 'executor', 'history', 'notifier'] as const
export type Schema = (typeof schemas)[number]

/** The address that each of these services uses. */
export type DatabaseUrls = Record<Schema, string>

/**
 * Makes a schema for each service and brings it to its newest form. If the role of the address may create roles, each
 * service gets one that reaches its own schema only, with a password stored in the folder; else all share the role.
 */
export async function setupDatabase(url: string, secretsFolder: string): Promise<DatabaseUrls> {
  const urls: Partial<DatabaseUrls> = {}
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const mayCreateRoles = await createsRoles(client)
    for (const schema of schemas) {
      urls[schema] = mayCreateRoles ? await ownRole(client, url, schema, secretsFolder) : url
      await client.query(`create schema if not exists ${schema}`)
      if (mayCreateRoles) await client.query(`alter schema ${schema} owner to ${roleName(url, schema)}`)
    }
  } finally {
    await client.end()
  }
  await Promise.all(schemas.map((schema) => migrateSchema(urls[schema] ?? url, schema)))
  return urls as DatabaseUrls
}

async function createsRoles(client: Client): Promise<boolean> {
  const { rows } = await client.query(
    'select rolsuper or rolcreaterole as may from pg_roles where rolname = current_user',
  )
  return rows[0]?.may === true
}

// Roles belong to the whole server, so they carry the name of the database.
function roleName(url: string, schema: Schema): string {
  return `${new URL(url).pathname.slice(1).replace(/\W/g, '_')}_${schema}`
}

async function ownRole(client: Client, url: string, schema: Schema, folder: string): Promise<string> {
  const role = roleName(url, schema)
  const password = readFileSync(ensureSecret(path.join(folder, `postgres-${schema}`), newPassword), 'utf8')
  const { rowCount } = await client.query('select from pg_roles where rolname = $1', [role])
  if (rowCount === 0) await client.query(`create role ${role}`)
  await client.query(`alter role ${role} login password '${password}'`)
  await client.query(`grant ${role} to current_user`)
  const own = new URL(url)
  own.username = role
  own.password = password
  return own.href
}

function newPassword(): string {
  return randomBytes(16).toString('hex')
}

async function migrateSchema(url: string, schema: Schema): Promise<void> {
  const folder = path.join(rootDir, 'services', schema, 'migrations')
  if (!existsSync(folder)) return
  const db = openDatabase<unknown>(url, schema, createLog('setup', 'warn'))
  try {
    await migrate(db, schema, folder)
  } finally {
    await db.destroy()
  }
}
