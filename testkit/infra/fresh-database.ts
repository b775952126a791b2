import { randomBytes } from 'node:crypto'
import { Client } from 'pg'

/** A new empty database on the server of the address, and its removal together with the roles made for it. */
export async function freshDatabase(serverUrl: string): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `tripline_${randomBytes(6).toString('hex')}`
  await query(serverUrl, `create database ${name}`)
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => drop(serverUrl, name) }
}

async function drop(serverUrl: string, name: string): Promise<void> {
  await query(serverUrl, `drop database if exists ${name} with (force)`)
  await query(
    serverUrl,
    `do $$ declare r text; begin
    for r in select rolname from pg_roles where starts_with(rolname, '${name}_') loop
      execute format('drop role %I', r);
    end loop; end $$`,
  )
}

/** The number of rows a statement answers or changes, run over a connection of its own. */
export async function query(url: string, statement: string): Promise<number> {
  const client = new Client({ connectionString: url })
  // A server that goes away between two words is reported by the rejected call.
  client.on('error', () => {})
  try {
    await client.connect()
    const { rowCount } = await client.query(statement)
    return rowCount ?? 0
  } finally {
    await client.end().catch(() => {})
  }
}
