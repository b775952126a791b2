import { type Kysely, sql } from 'kysely'
import type { EpochRow, Expectation } from '../domain/sharing/epoch.ts'
import type { Tables } from './database.ts'

/** A row with its age by the clock of the database. */
export interface StoredEpoch extends EpochRow {
  ageMs: number
}

/** A claim of a row, as long as that still is what is expected of it. */
export interface WantedEpoch {
  partition: number
  expected: Expectation
  /** The greatest epoch that the claimant knows of from elsewhere: the new one is greater. */
  known: number
}

/** A process that owns partitions, and its place, if that can have but one process. */
export interface EpochOwner {
  owner: string
  place?: string | undefined
}

/** The epochs of the partitions, outside the bus. What throws may have been done all the same. */
export interface EpochStore {
  /** Renews what the owner holds, as far as nobody claimed it since, and returns every row. One statement. */
  renew: (
    by: EpochOwner,
    held: readonly Pick<EpochRow, 'partition' | 'epoch'>[],
  ) => Promise<readonly StoredEpoch[]>
  /** Claims rows and returns those that it got. One statement. */
  claim: (by: EpochOwner, wanted: readonly WantedEpoch[]) => Promise<readonly StoredEpoch[]>
  /** Leaves claimed rows to their former owners, which live, under another epoch. */
  giveBack: (
    by: EpochOwner,
    claimed: readonly { partition: number; epoch: number; former: EpochOwner }[],
  ) => Promise<void>
  /** Whether the last statement was answered. */
  isUp: () => boolean
  close: () => Promise<void>
}

const columns = sql`partition, epoch, owner, place, renewal, extract(epoch from clock_timestamp() - renewed_at) * 1000 as "ageMs"`

/**
 * The rows of a database that is opened anew after each failure: a connection that does not answer may never break.
 */
export function openEpochStore(open: () => Kysely<Tables>): EpochStore {
  let db = open()
  let isUp = false
  const act = async <Value>(statement: (on: Kysely<Tables>) => Promise<Value>): Promise<Value> => {
    const on = db
    try {
      const value = await statement(on)
      isUp = true
      return value
    } catch (error) {
      isUp = false
      if (on === db) {
        db = open()
        void on.destroy()
      }
      throw error
    }
  }
  return {
    renew: async (by, held) => await act(async (on) => await renew(on, by, held)),
    claim: async (by, wanted) => await act(async (on) => await claim(on, by, wanted)),
    giveBack: async (by, claimed) =>
      await act(async (on) => {
        for (const each of claimed) await giveBack(on, by, each)
      }),
    isUp: () => isUp,
    close: async () => await db.destroy(),
  }
}

// Rows are written in the order of partitions, so that no two statements wait for each other.
async function renew(
  db: Kysely<Tables>,
  { owner, place }: EpochOwner,
  held: readonly Pick<EpochRow, 'partition' | 'epoch'>[],
): Promise<readonly StoredEpoch[]> {
  const { rows } = await sql<StoredRow>`
    with renewed as (
      insert into partition_epoch as former (partition, epoch, owner, place, renewal, renewed_at)
      select held.partition, held.epoch, ${owner}, ${place ?? null}, 1, clock_timestamp()
      from unnest(
        ${held.map(({ partition }) => partition)}::int[],
        ${held.map(({ epoch }) => epoch)}::bigint[]
      ) as held(partition, epoch)
      order by held.partition
      on conflict (partition) do update set
        epoch = greatest(former.epoch, excluded.epoch),
        owner = excluded.owner,
        place = excluded.place,
        renewal = former.renewal + 1,
        renewed_at = excluded.renewed_at
      where former.owner = excluded.owner or former.epoch < excluded.epoch
      returning *
    )
    select ${columns} from renewed
    union all
    select ${columns} from partition_epoch where partition not in (select partition from renewed)
  `.execute(db)
  return rows.map(toEpoch)
}

async function claim(
  db: Kysely<Tables>,
  { owner, place }: EpochOwner,
  wanted: readonly WantedEpoch[],
): Promise<readonly StoredEpoch[]> {
  const { rows } = await sql<StoredRow>`
    with wanted as (
      select * from unnest(
        ${wanted.map(({ partition }) => partition)}::int[],
        ${wanted.map(({ known }) => known)}::bigint[],
        ${wanted.map(({ expected }) => expected.epoch)}::bigint[],
        ${wanted.map(({ expected }) => expected.renewal ?? null)}::bigint[]
      ) as wanted(partition, known, epoch, renewal)
    )
    insert into partition_epoch as former (partition, epoch, owner, place, renewal, renewed_at)
    select wanted.partition, wanted.known + 1, ${owner}, ${place ?? null}, 0, clock_timestamp()
    from wanted
    order by wanted.partition
    on conflict (partition) do update set
      epoch = greatest(former.epoch + 1, excluded.epoch),
      owner = excluded.owner,
      place = excluded.place,
      renewal = 0,
      renewed_at = excluded.renewed_at
    where former.owner = excluded.owner or exists (
      select from wanted
      where wanted.partition = former.partition and wanted.epoch = former.epoch
        and (wanted.renewal is null or wanted.renewal = former.renewal)
    )
    returning ${columns}
  `.execute(db)
  return rows.map(toEpoch)
}

async function giveBack(
  db: Kysely<Tables>,
  { owner }: EpochOwner,
  { partition, epoch, former }: { partition: number; epoch: number; former: EpochOwner },
): Promise<void> {
  await sql`
    update partition_epoch
    set epoch = epoch + 1, owner = ${former.owner}, place = ${former.place ?? null}, renewal = 0,
      renewed_at = clock_timestamp()
    where partition = ${partition} and owner = ${owner} and epoch = ${epoch}
  `.execute(db)
}

interface StoredRow {
  partition: number
  epoch: number
  owner: string
  place: string | null
  renewal: number
  ageMs: string
}

function toEpoch({ place, ageMs, ...row }: StoredRow): StoredEpoch {
  return { ...row, place: place ?? undefined, ageMs: Number(ageMs) }
}
