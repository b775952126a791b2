import { type RawBuilder, sql } from 'kysely'

/** A moment, in ms since the epoch, as Postgres holds it. */
export function timeOf(moment: number): RawBuilder<string> {
  return sql<string>`to_timestamp(${moment}::double precision / 1000)`
}
