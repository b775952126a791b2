import type { AlertId, UserId } from '@tripline/proto/id'
import type { ReceiptProblem, ReceiptState } from '@tripline/proto/intake-request'
import type { ColumnType, Generated, Kysely } from 'kysely'

interface ReceiptTable {
  user_id: UserId
  number: number
  alert_id: AlertId
  received_at: string
  message_hash: string
  previous_hash: string
  hash: string
  is_confirmed: boolean
  sequence: number | null
  blocks: number
  message: string | null
  state: Generated<ReceiptState>
  state_at: Generated<string>
}

interface ReceiptHeadTable {
  user_id: UserId
  number: number
  hash: string
  based_on: string
}

interface ReceiptProblemTable {
  alert_id: AlertId
  kind: ReceiptProblem
  user_id: UserId
  found_at: string
  text: string
}

interface ReceiptAuditTable {
  id: number
  turn_at: string | null
  audited_at: string | null
  covered_from: string | null
  looked_until: ColumnType<string[] | null, string | null, string | null>
}

/** The schema `intake`. */
export interface Tables {
  receipt: ReceiptTable
  receipt_head: ReceiptHeadTable
  receipt_problem: ReceiptProblemTable
  receipt_audit: ReceiptAuditTable
}

export type Db = Kysely<Tables>
