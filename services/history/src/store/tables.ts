import type { OverallStatus } from '@tripline/proto/alert'
import type { CommandResult, CommandStatus } from '@tripline/proto/command-result'
import type { ColumnType, Generated, Kysely } from 'kysely'

interface ExecutionTable {
  id: string
  alert_id: string
  user_id: string
  bot_id: string | null
  label: string | null
  exchange: string | null
  symbol: string | null
  created_at: string
  message: string | null
  body: string | null
  is_close_only: Generated<boolean>
  /** Null while it runs. */
  status: OverallStatus | null
  error_code: string | null
  error: string | null
  total_ms: number | null
  ended_at: number
  ended_by: string
  /** The error codes of it and its commands; null while it has none. */
  codes: Generated<string[] | null>
}

interface CommandTable {
  execution_id: string
  place: number
  type: string
  params: ColumnType<Record<string, string> | null, string | null, string | null>
  /** Null until an event has it. */
  status: CommandStatus | null
  error_code: string | null
  error: string | null
  result: ColumnType<NonNullable<CommandResult['result']> | null, string | null, string | null>
  execution_time_ms: number | null
  told_rank: number
  told_at: number
  told_by: string
}

interface EventTable {
  execution_id: string
  at: number
  id: string
  kind: string
  /** The command it is about, where it is about one. */
  place: number | null
  details: ColumnType<Record<string, unknown>, string, string>
}

/** An order of ours, as it stood when most was filled of it. */
interface PlacedOrderTable {
  client_order_id: string
  execution_id: string
  user_id: string
  venue_order_id: string
  filled: string
  average_price: string | null
  fee: string | null
  fee_coin: string | null
}

/** An event that could not be stored, by its place in the stream. */
interface SetAsideTable {
  sequence: number
  /** Which of the events of its message it is, the first one being 0. */
  place: number
  event: Buffer
  reason: string
  at: string
}

export interface Tables {
  execution: ExecutionTable
  command: CommandTable
  event: EventTable
  placed_order: PlacedOrderTable
  set_aside: SetAsideTable
}

export type Db = Kysely<Tables>
