import { sql } from 'kysely'
import { type Db, toIso } from './database.ts'

/** A key pair that signs access tokens from a moment on (in ms); its private half is encrypted. */
export interface StoredSigningKey {
  id: string
  publicJwk: Record<string, unknown>
  privateJwkEnvelope: string
  signsFrom: number
}

/** All keys, the newest first. */
export async function listSigningKeys(db: Db): Promise<StoredSigningKey[]> {
  const rows = await db.selectFrom('signing_key').selectAll().orderBy('signs_from', 'desc').execute()
  return rows.map((row) => ({
    id: row.id,
    publicJwk: row.public_jwk,
    privateJwkEnvelope: row.private_jwk_envelope,
    signsFrom: Date.parse(row.signs_from),
  }))
}

/** Keeps a new key. */
export async function insertSigningKey(db: Db, key: StoredSigningKey, createdAt: number): Promise<void> {
  await db
    .insertInto('signing_key')
    .values({
      id: key.id,
      public_jwk: JSON.stringify(key.publicJwk),
      private_jwk_envelope: key.privateJwkEnvelope,
      created_at: toIso(createdAt),
      signs_from: toIso(key.signsFrom),
    })
    .execute()
}

/** Forgets keys. */
export async function deleteSigningKeys(db: Db, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await db.deleteFrom('signing_key').where('id', 'in', ids).execute()
}

/** Lets only one replica at a time decide about keys, until the transaction ends. */
export async function lockSigningKeys(db: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('auth.signing_key'))`.execute(db)
}
