import type { AlertId, UserId } from '@tripline/proto/id'
import { sql } from 'kysely'
import type { HeadChange, NumberedReceipt, ReceiptDraft, ReceiptHead } from '../domain/receipt.ts'
import type { Db } from './tables.ts'

/** A receipt as its alert's caller gets it. */
export interface StoredReceipt {
  number: number
  hash: string
}

/**
 * Stores receipts of users whose newest one is still the one that they build on; returns which alerts and users these
 * are. One statement, and a parameter for each table: the statement is the same for any number of rows.
 */
export async function saveReceipts(
  db: Db,
  receipts: readonly NumberedReceipt[],
  heads: readonly HeadChange[],
): Promise<{ alerts: Set<AlertId>; users: Set<UserId> }> {
  // Written in one order, so that no two batches wait for each other.
  const inOrder = heads.toSorted((one, other) => (one.userId < other.userId ? -1 : 1))
  const { rows } = await sql<{ alert_id: AlertId; user_id: UserId }>`
    with heads as (
      insert into receipt_head (user_id, number, hash, based_on)
      select user_id, number, hash, based_on from json_to_recordset(${JSON.stringify(inOrder.map(headRow))}::json)
        as incoming (user_id uuid, number bigint, hash text, based_on text)
      on conflict (user_id) do update
        set number = excluded.number, hash = excluded.hash, based_on = excluded.based_on
        where receipt_head.hash = excluded.based_on
      returning user_id
    )
    insert into receipt (user_id, number, alert_id, received_at, message_hash, previous_hash, hash, is_confirmed,
      sequence, blocks, message)
    select user_id, number, alert_id, received_at, message_hash, previous_hash, hash, is_confirmed, sequence, blocks,
      message
    from json_to_recordset(${JSON.stringify(receipts.map(receiptRow))}::json) as incoming (user_id uuid, number bigint,
      alert_id text, received_at timestamptz, message_hash text, previous_hash text, hash text, is_confirmed boolean,
      sequence bigint, blocks smallint, message text)
    join heads using (user_id)
    returning alert_id, user_id
  `.execute(db)
  return {
    alerts: new Set(rows.map(({ alert_id }) => alert_id)),
    users: new Set(rows.map(({ user_id }) => user_id)),
  }
}

/** The newest receipt of each of these users who has one. */
export async function findHeads(db: Db, userIds: readonly UserId[]): Promise<Map<UserId, ReceiptHead>> {
  const rows = await db
    .selectFrom('receipt_head')
    .select(['user_id', 'number', 'hash'])
    .where('user_id', '=', sql<UserId>`any(${userIds})`)
    .execute()
  return new Map(rows.map(({ user_id, number, hash }) => [user_id, { number, hash }]))
}

/** The receipts that these alerts have. */
export async function findReceipts(
  db: Db,
  alertIds: readonly AlertId[],
): Promise<Map<AlertId, StoredReceipt>> {
  const rows = await db
    .selectFrom('receipt')
    .select(['alert_id', 'number', 'hash'])
    .where('alert_id', '=', sql<AlertId>`any(${alertIds})`)
    .execute()
  return new Map(rows.map(({ alert_id, number, hash }) => [alert_id, { number, hash }]))
}

/**
 * Alerts with a receipt that are confirmed now: one of which only its attempt was known, or that was lost, runs from now
 * on.
 */
export async function confirmReceipts(db: Db, drafts: readonly ReceiptDraft[]): Promise<void> {
  const rows = drafts.map(({ alertId, sequence, message }) => ({ alert_id: alertId, sequence, message }))
  await sql`
    update receipt set is_confirmed = true, sequence = coalesce(incoming.sequence, receipt.sequence), state = 'open',
      state_at = now(), message = incoming.message
    from json_to_recordset(${JSON.stringify(rows)}::json) as incoming (alert_id text, sequence bigint, message text)
    where receipt.alert_id = incoming.alert_id and receipt.state <> 'ended'
      and (incoming.sequence is not null or not receipt.is_confirmed)
  `.execute(db)
}

function headRow({ userId, basedOn, ...same }: HeadChange): object {
  return { ...same, user_id: userId, based_on: basedOn }
}

function receiptRow(receipt: NumberedReceipt): object {
  const { number, hash, sequence, blocks, message } = receipt
  return {
    number,
    hash,
    sequence,
    blocks,
    message,
    user_id: receipt.userId,
    alert_id: receipt.alertId,
    received_at: receipt.receivedAt,
    message_hash: receipt.messageHash,
    previous_hash: receipt.previousHash,
    is_confirmed: receipt.isConfirmed,
  }
}
