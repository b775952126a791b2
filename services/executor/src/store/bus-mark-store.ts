import { sql } from 'kysely'
import type { BusMark, Losses } from '../domain/sharing/roll-back.ts'
import type { Db } from './database.ts'

/** A mark as it is stored, with the moment by the clock of the bus at which it was true. */
export interface StoredMark extends BusMark {
  stream: string
  markedAt: number
}

/** A time from which on the marks grow, until the bus is found to have lost something. */
export interface Generation {
  /** 0 is the first one. */
  number: number
  /** The time at which the last roll-back was noticed; undefined where there was none, or only restores by hand. */
  rolledBackAt: number | undefined
  /** The losses that it was begun for. */
  losses: Losses
  /** Until when alerts were stored that came back, by the clock of the bus; 0 where none ever did. */
  cameBackUntil: number
  /** The back-ups that were brought back, by their ids. */
  restoreIds: readonly string[]
}

/** A generation that begins now, and the marks with which it does. */
export interface NewGeneration {
  number: number
  cause: 'rolled back' | 'restored'
  losses: Losses
  cameBackUntil: number
  restoreId: string | undefined
  marks: readonly StoredMark[]
}

/** The marks of the bus in the database. */
export interface BusMarkStore {
  read: () => Promise<{ generation: Generation; marks: readonly StoredMark[] }>
  /** Lets the marks of this generation grow; returns the number of the present one. */
  write: (generation: number, marks: readonly StoredMark[]) => Promise<number>
  /** Begins a generation; false where another process began it. */
  begin: (generation: NewGeneration) => Promise<boolean>
}

/** The marks in this database. */
export function openBusMarkStore(db: Db): BusMarkStore {
  return {
    read: async () => ({ generation: await readGeneration(db), marks: await readMarks(db) }),
    write: async (generation, marks) => {
      await growMarks(db, generation, marks)
      const { rows } = await sql<{ number: number }>`
        select coalesce(max(generation), 0) as number from bus_generation`.execute(db)
      return rows[0]?.number ?? 0
    },
    begin: async (generation) =>
      await db.transaction().execute(async (transaction) => await beginGeneration(transaction, generation)),
  }
}

async function readGeneration(db: Db): Promise<Generation> {
  const rows = await db.selectFrom('bus_generation').selectAll().orderBy('generation').execute()
  const rolledBack = rows.findLast(({ cause }) => cause === 'rolled back')
  const ends = rows.map(({ came_back_until }) => (came_back_until === null ? 0 : Date.parse(came_back_until)))
  return {
    number: rows.at(-1)?.generation ?? 0,
    rolledBackAt: rolledBack && Date.parse(rolledBack.began_at),
    losses: rolledBack?.losses ?? {},
    cameBackUntil: Math.max(0, ...ends),
    restoreIds: rows.flatMap(({ restore_id }) => restore_id ?? []),
  }
}

async function readMarks(db: Db): Promise<StoredMark[]> {
  const rows = await db.selectFrom('bus_mark').selectAll().execute()
  return rows.map(({ stream, created_at, sequence, seen_sequence, seen_at, marked_at }) => ({
    stream,
    createdAt: created_at,
    sequence,
    seen:
      seen_sequence === null || seen_at === null
        ? undefined
        : { sequence: seen_sequence, storedAt: Date.parse(seen_at) },
    markedAt: Date.parse(marked_at),
  }))
}

/** Lets marks grow by what this process knows. Marks of a generation that is over are of what the bus has lost. */
async function growMarks(db: Db, generation: number, marks: readonly StoredMark[]): Promise<void> {
  if (marks.length === 0) return
  await db
    .insertInto('bus_mark')
    .values(marks.map((mark) => rowOf(generation, mark)))
    .onConflict((conflict) =>
      conflict
        .column('stream')
        .doUpdateSet({
          sequence: sql`greatest(bus_mark.sequence, excluded.sequence)`,
          seen_at: sql`case when excluded.seen_sequence >= coalesce(bus_mark.seen_sequence, 0)
            then excluded.seen_at else bus_mark.seen_at end`,
          seen_sequence: sql`greatest(bus_mark.seen_sequence, excluded.seen_sequence)`,
          marked_at: sql`greatest(bus_mark.marked_at, excluded.marked_at)`,
        })
        .where(sql<boolean>`bus_mark.generation = excluded.generation`),
    )
    .execute()
}

async function beginGeneration(
  db: Db,
  { number, cause, losses, cameBackUntil, restoreId, marks }: NewGeneration,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows: begun = 0n } = await db
    .insertInto('bus_generation')
    .values({
      generation: number,
      cause,
      losses: JSON.stringify(losses),
      came_back_until: cameBackUntil > 0 ? momentOf(cameBackUntil) : null,
      restore_id: restoreId ?? null,
    })
    .onConflict((conflict) => conflict.column('generation').doNothing())
    .executeTakeFirst()
  if (begun === 0n) return false
  await db.deleteFrom('bus_mark').execute()
  await growMarks(db, number, marks)
  return true
}

function rowOf(generation: number, { stream, createdAt, sequence, seen, markedAt }: StoredMark) {
  return {
    stream,
    generation,
    created_at: createdAt,
    sequence,
    seen_sequence: seen?.sequence ?? null,
    seen_at: seen === undefined ? null : momentOf(seen.storedAt),
    marked_at: momentOf(markedAt),
  }
}

function momentOf(ms: number): string {
  return new Date(ms).toISOString()
}
