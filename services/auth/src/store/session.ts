import type { SessionId, UserId } from '@tripline/proto/id'
import type { Selectable } from 'kysely'
import type { SessionState } from '../domain/session.ts'
import type { Db, Tables } from './database.ts'

/** A session as it is kept; the seed of its refresh tokens is encrypted. */
export interface Session extends SessionState {
  id: SessionId
  userId: UserId
  refreshSeedEnvelope: string
}

/** Keeps a new session. */
export async function insertSession(db: Db, session: Session): Promise<void> {
  await db
    .insertInto('session')
    .values({
      id: session.id,
      user_id: session.userId,
      refresh_seed: session.refreshSeedEnvelope,
      used_generation: session.usedGeneration,
      created_at: toIso(session.createdAt),
      refreshed_at: toIso(session.refreshedAt),
      ended_at: session.endedAt === null ? null : toIso(session.endedAt),
    })
    .execute()
}

/** The session of this id. */
export async function findSession(db: Db, id: SessionId): Promise<Session | undefined> {
  const row = await db.selectFrom('session').selectAll().where('id', '=', id).executeTakeFirst()
  return row && toSession(row)
}

/** The session of this id, which nobody else changes until the transaction ends. */
export async function lockSession(db: Db, id: SessionId): Promise<Session | undefined> {
  const row = await db.selectFrom('session').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
  return row && toSession(row)
}

/** Notes that this refresh token of the session was used, which spends all before it. */
export async function noteRefresh(
  db: Db,
  id: SessionId,
  used: { generation: number; at: number },
): Promise<void> {
  await db
    .updateTable('session')
    .set({ used_generation: used.generation, refreshed_at: toIso(used.at) })
    .where('id', '=', id)
    .execute()
}

/** Ends a session; one that has ended keeps its first end. */
export async function closeSession(db: Db, id: SessionId, endedAt: number): Promise<void> {
  await db
    .updateTable('session')
    .set({ ended_at: toIso(endedAt) })
    .where('id', '=', id)
    .where('ended_at', 'is', null)
    .execute()
}

function toSession(row: Selectable<Tables['session']>): Session {
  return {
    id: row.id,
    userId: row.user_id,
    refreshSeedEnvelope: row.refresh_seed,
    usedGeneration: row.used_generation,
    createdAt: Date.parse(row.created_at),
    refreshedAt: Date.parse(row.refreshed_at),
    endedAt: row.ended_at === null ? null : Date.parse(row.ended_at),
  }
}

function toIso(ms: number): string {
  return new Date(ms).toISOString()
}
