import type { Db } from './database.ts'

/** A key pair that signs access tokens; its private half is encrypted. */
export interface KeptSigningKey {
  id: string
  publicJwk: Record<string, unknown>
  privateJwkEnvelope: string
}

/** The key that signs now. */
export async function findCurrentSigningKey(db: Db): Promise<KeptSigningKey | undefined> {
  return await db
    .selectFrom('signing_key')
    .select(['id', 'public_jwk as publicJwk', 'private_jwk_envelope as privateJwkEnvelope'])
    .where('retired_at', 'is', null)
    .executeTakeFirst()
}

/** Keeps a new current key; nothing is kept when there is one already. */
export async function insertSigningKey(db: Db, key: KeptSigningKey, createdAt: string): Promise<void> {
  await db
    .insertInto('signing_key')
    .values({
      id: key.id,
      public_jwk: JSON.stringify(key.publicJwk),
      private_jwk_envelope: key.privateJwkEnvelope,
      created_at: createdAt,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** The public halves of the current key and of those that were retired since the moment. */
export async function listPublicKeys(db: Db, retiredSince: string): Promise<Record<string, unknown>[]> {
  const rows = await db
    .selectFrom('signing_key')
    .select('public_jwk')
    .where((row) => row.or([row('retired_at', 'is', null), row('retired_at', '>', retiredSince)]))
    .orderBy('created_at', 'desc')
    .execute()
  return rows.map((row) => row.public_jwk)
}
