import type { AlertId, UserId } from '@tripline/proto/id'
import type { ReceiptProblem, ReceiptState } from '@tripline/proto/intake-request'
import { type Selectable, sql } from 'kysely'
import type { Db, Tables } from './tables.ts'

/** A receipt whose alert's end is not known. */
export interface OpenReceipt {
  userId: UserId
  alertId: AlertId
  receivedAt: string
  isConfirmed: boolean
  sequence: number | null
  blocks: number
  state: ReceiptState
  message: string | null
}

const columns = [
  'user_id as userId',
  'alert_id as alertId',
  'received_at as receivedAt',
  'is_confirmed as isConfirmed',
  'sequence',
  'blocks',
  'state',
  'message',
] as const

/** Receipts without an end behind this alert, of alerts received before a moment; a page by their ids, which are by time. */
export async function findOpen(
  db: Db,
  { before, after, limit }: { before: number; after: string; limit: number },
): Promise<OpenReceipt[]> {
  return await db
    .selectFrom('receipt')
    .select(columns)
    .where('state', 'in', ['open', 'waiting'])
    .where('received_at', '<', new Date(before).toISOString())
    .where('alert_id', '>', sql<AlertId>`${after}`)
    .orderBy('alert_id')
    .limit(limit)
    .execute()
}

/** Receipts of alerts that were found lost since a moment, the newest first. */
export async function findLost(db: Db, since: number, limit: number): Promise<OpenReceipt[]> {
  return await db
    .selectFrom('receipt')
    .select(columns)
    .where('state', '=', 'lost')
    .where('state_at', '>=', new Date(since).toISOString())
    .orderBy('state_at', 'desc')
    .limit(limit)
    .execute()
}

/** Returns those of these alerts that have a receipt, with its state. */
export async function findStates(db: Db, alertIds: readonly AlertId[]): Promise<Map<AlertId, ReceiptState>> {
  const rows = await db
    .selectFrom('receipt')
    .select(['alert_id', 'state'])
    .where('alert_id', '=', sql<AlertId>`any(${alertIds})`)
    .execute()
  return new Map(rows.map(({ alert_id, state }) => [alert_id, state]))
}

/** A receipt that is in another state than before. */
export interface StateChange {
  alertId: AlertId
  from: ReceiptState
  to: ReceiptState
}

/** Changes the states of receipts that are still in the former one; the text of what has ended is deleted. */
export async function changeStates(db: Db, changes: readonly StateChange[], at: number): Promise<void> {
  if (changes.length === 0) return
  const rows = changes.map(({ alertId, from, to }) => ({ alert_id: alertId, before: from, state: to }))
  await sql`
    update receipt set state = incoming.state, state_at = ${new Date(at).toISOString()},
      message = case when incoming.state in ('ended', 'unstored') then null else receipt.message end
    from json_to_recordset(${JSON.stringify(rows)}::json) as incoming (alert_id text, before text, state text)
    where receipt.alert_id = incoming.alert_id and receipt.state = incoming.before
  `.execute(db)
}

/** A fault with an alert that is no fault of its receipt's state. */
export interface FoundProblem {
  alertId: AlertId
  userId: UserId
  kind: ReceiptProblem
  text: string
}

/** Notes problems; returns those that are new. */
export async function noteProblems(
  db: Db,
  problems: readonly FoundProblem[],
  at: number,
): Promise<Pick<FoundProblem, 'alertId' | 'kind'>[]> {
  if (problems.length === 0) return []
  const rows = problems.map(({ alertId, userId, ...same }) => ({
    ...same,
    alert_id: alertId,
    user_id: userId,
    found_at: new Date(at).toISOString(),
  }))
  return await db
    .insertInto('receipt_problem')
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .returning(['alert_id as alertId', 'kind'])
    .execute()
}

/** Takes back that alerts have no receipt which have one by now. */
export async function resolveProblems(db: Db): Promise<void> {
  await db
    .deleteFrom('receipt_problem')
    .where('kind', '=', 'no_receipt')
    .where('alert_id', 'in', (query) =>
      query
        .selectFrom('receipt')
        .select('alert_id')
        .whereRef('receipt.alert_id', '=', 'receipt_problem.alert_id'),
    )
    .execute()
}

/** Deletes receipts of alerts received before a moment, and problems found before it; returns how many receipts. */
export async function deleteReceiptsBefore(db: Db, moment: number): Promise<number> {
  const before = new Date(moment).toISOString()
  await db.deleteFrom('receipt_problem').where('found_at', '<', before).execute()
  let deleted = 0
  for (;;) {
    const { numAffectedRows = 0n } = await sql`
      delete from receipt where (user_id, number) in (
        select user_id, number from receipt where received_at < ${before} limit ${deletedAtOnce}
      )
    `.execute(db)
    deleted += Number(numAffectedRows)
    if (Number(numAffectedRows) < deletedAtOnce) return deleted
  }
}

const deletedAtOnce = 1000

/** The progress of the audit. */
export interface AuditProgress {
  /** The last turn, whatever came of it: the database was there, and an intake. */
  turnAt: number | undefined
  /** The last turn in which everything was compared. */
  auditedAt: number | undefined
  /** Alerts received before this may have no receipt; undefined before the first receipt. */
  coveredFrom: number | undefined
  /** The ids up to which alerts were looked for receipts, one for each age at which they are. */
  lookedUntil: readonly string[]
}

const keepAliveMs = 5000

/**
 * Lets one process at a time audit, and none so soon after the last turn; returns when the last audit ended. A turn belongs to
 * the process that has the row locked; one that dies leaves it.
 */
export async function inAuditTurn(
  db: Db,
  { now, everyMs }: { now: number; everyMs: number },
  audit: (progress: AuditProgress) => Promise<AuditProgress>,
): Promise<number | undefined> {
  const last = await readProgress(db)
  if (last.turnAt !== undefined && now - last.turnAt < everyMs) return last.auditedAt
  return await db.transaction().execute(async (turn) => {
    const row = await turn.selectFrom('receipt_audit').selectAll().forUpdate().skipLocked().executeTakeFirst()
    if (row === undefined || momentOf(row.turn_at) !== last.turnAt) return last.auditedAt
    // A connection that is silent for long counts as lost.
    const keepAlive = setInterval(() => void sql`select 1`.execute(turn).catch(() => undefined), keepAliveMs)
    const progress = await audit(progressIn(row)).finally(() => clearInterval(keepAlive))
    await turn
      .updateTable('receipt_audit')
      .set({
        turn_at: textOf(progress.turnAt),
        audited_at: textOf(progress.auditedAt),
        covered_from: textOf(progress.coveredFrom),
        looked_until: JSON.stringify(progress.lookedUntil),
      })
      .execute()
    return progress.auditedAt
  })
}

async function readProgress(db: Db): Promise<AuditProgress> {
  return progressIn(await db.selectFrom('receipt_audit').selectAll().executeTakeFirstOrThrow())
}

function progressIn(row: Selectable<Tables['receipt_audit']>): AuditProgress {
  return {
    turnAt: momentOf(row.turn_at),
    auditedAt: momentOf(row.audited_at),
    coveredFrom: momentOf(row.covered_from),
    lookedUntil: row.looked_until ?? [],
  }
}

/** Returns when the first receipt was made; undefined before. */
export async function firstReceiptAt(db: Db): Promise<number | undefined> {
  const row = await db
    .selectFrom('receipt')
    .select('received_at')
    .orderBy('received_at')
    .limit(1)
    .executeTakeFirst()
  return momentOf(row?.received_at)
}

function momentOf(text: string | null | undefined): number | undefined {
  return text == null ? undefined : Date.parse(text)
}

function textOf(moment: number | undefined): string | null {
  return moment === undefined ? null : new Date(moment).toISOString()
}
