import type { SessionId } from '@tripline/proto/id'
import type { Db } from './database.ts'

const envelopesAtOnce = 500

/** The envelopes of sessions' seeds, a page by id behind this one. */
export async function listSeedEnvelopes(
  db: Db,
  after: SessionId | undefined,
): Promise<{ id: SessionId; envelope: string }[]> {
  return await db
    .selectFrom('session')
    .select(['id', 'refresh_seed as envelope'])
    .$if(after !== undefined, (query) => query.where('id', '>', after as SessionId))
    .orderBy('id')
    .limit(envelopesAtOnce)
    .execute()
}

/** Puts another envelope of the same seed in the place of this one, if it is still there. */
export async function replaceSeedEnvelope(db: Db, id: SessionId, from: string, to: string): Promise<void> {
  await db
    .updateTable('session')
    .set({ refresh_seed: to })
    .where('id', '=', id)
    .where('refresh_seed', '=', from)
    .execute()
}

/** The envelopes of signing keys behind this one. */
export async function listKeyEnvelopes(
  db: Db,
  after: string | undefined,
): Promise<{ id: string; envelope: string }[]> {
  return await db
    .selectFrom('signing_key')
    .select(['id', 'private_jwk_envelope as envelope'])
    .$if(after !== undefined, (query) => query.where('id', '>', after ?? ''))
    .orderBy('id')
    .limit(envelopesAtOnce)
    .execute()
}

/** Puts another envelope of the same key in the place of this one, if it is still there. */
export async function replaceKeyEnvelope(db: Db, id: string, from: string, to: string): Promise<void> {
  await db
    .updateTable('signing_key')
    .set({ private_jwk_envelope: to })
    .where('id', '=', id)
    .where('private_jwk_envelope', '=', from)
    .execute()
}
