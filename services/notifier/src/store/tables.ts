import type { UserId } from '@tripline/proto/id'
import type { Generated, Kysely } from 'kysely'

interface NoteTable {
  id: string
  user_id: UserId
  html: string
  created_at: string
  sent_at: string | null
}

interface DeliveryTable {
  user_id: UserId
  due_at: string | null
  claimed_until: string | null
  attempts: Generated<number>
  left_out: Generated<number>
  last_error: string | null
  last_error_at: string | null
}

/** The schema `notifier`. */
export interface Tables {
  note: NoteTable
  delivery: DeliveryTable
}

/** The schema `notifier`, or a transaction on it. */
export type Db = Kysely<Tables>
