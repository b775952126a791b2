import type { ColumnType, Generated, Kysely } from 'kysely'
import type { Losses } from '../domain/sharing/roll-back.ts'

interface PartitionEpochTable {
  partition: number
  epoch: number
  owner: string
  place: string | null
  renewal: number
  renewed_at: string
}

interface BusMarkTable {
  stream: string
  generation: number
  created_at: string
  sequence: number
  seen_sequence: number | null
  seen_at: string | null
  marked_at: string
}

interface BusGenerationTable {
  generation: number
  began_at: Generated<string>
  cause: 'rolled back' | 'restored'
  losses: ColumnType<Losses, string>
  came_back_until: string | null
  restore_id: string | null
}

/** The schema `executor`. */
export interface Tables {
  partition_epoch: PartitionEpochTable
  bus_mark: BusMarkTable
  bus_generation: BusGenerationTable
}

/** The schema `executor`, or a transaction on it. */
export type Db = Kysely<Tables>
