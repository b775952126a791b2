import type { SessionId, UserId } from '@tripline/proto/id'
import type { Selectable } from 'kysely'
import type { TokenUse } from '../domain/session.ts'
import { type Db, type Tables, toIso } from './database.ts'

/** A session as it is stored; the seed of its refresh tokens is encrypted. */
export interface Session extends TokenUse {
  id: SessionId
  userId: UserId
  refreshSeedEnvelope: string
  /** From where it was opened, and with what. */
  address: string
  userAgent: string
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
      address: session.address,
      user_agent: session.userAgent,
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

/** The sessions of a user that nobody has ended, the last used first. */
export async function listSessions(db: Db, userId: UserId): Promise<Session[]> {
  const rows = await db
    .selectFrom('session')
    .selectAll()
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null)
    .orderBy('refreshed_at', 'desc')
    .execute()
  return rows.map(toSession)
}

/** Ends sessions of a user that have not ended: this one, all but this one, or all. Returns those it ended. */
export async function closeSessions(
  db: Db,
  userId: UserId,
  which: { only: SessionId } | { except: SessionId } | 'all',
  endedAt: number,
): Promise<SessionId[]> {
  let ending = db
    .updateTable('session')
    .set({ ended_at: toIso(endedAt) })
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null)
  if (which !== 'all') {
    ending = 'only' in which ? ending.where('id', '=', which.only) : ending.where('id', '<>', which.except)
  }
  return (await ending.returning('id').execute()).map(({ id }) => id)
}

/** Forgets sessions that were opened before the moment. */
export async function deleteSessions(db: Db, createdBefore: number): Promise<void> {
  await db.deleteFrom('session').where('created_at', '<', toIso(createdBefore)).execute()
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
    address: row.address,
    userAgent: row.user_agent,
  }
}
