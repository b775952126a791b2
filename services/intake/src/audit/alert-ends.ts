import type { Bus } from '@tripline/kit/bus/bus'
import { sendRequest } from '@tripline/kit/bus/request'
import { type AlertEnds, listAlertEnds } from '@tripline/proto/history-request'
import type { AlertId } from '@tripline/proto/id'
import { firstIdAt } from '../alert-id.ts'
import { executionsOf, hasEndedTwice, problemTexts } from '../domain/receipt-state.ts'
import { type AuditProgress, type FoundProblem, findStates, firstReceiptAt } from '../store/audit-rows.ts'
import type { Db } from '../store/tables.ts'

/** The delays of the audit of what history has. */
export interface CoverTimes {
  /** The ages at which alerts are looked for a receipt: soon, once all processes are back, and after what may run again. */
  agesMs: readonly number[]
  /** The longest time between two turns in which receipts were stored all along. */
  gapMs: number
  /** The time behind a longer one, or behind the first receipt, after which every alert has its receipt. */
  settleMs: number
}

interface CoverAudit {
  bus: Bus
  db: Db
  now: number
  times: CoverTimes
}

// Others wait for the next turn.
const mostPages = 40

/** Returns since when alerts have receipts: while the database was away, or a version without them ran, they have none. */
export async function coveredFrom(
  { db, now, times }: Omit<CoverAudit, 'bus'>,
  { turnAt, coveredFrom }: AuditProgress,
): Promise<number | undefined> {
  if (coveredFrom === undefined && (await firstReceiptAt(db)) === undefined) return undefined
  const isCovered = coveredFrom !== undefined && turnAt !== undefined && now - turnAt <= times.gapMs
  return isCovered ? coveredFrom : now + times.settleMs
}

/**
 * Looks at what history has of alerts that have come to an age: all that ran has a receipt, and ended once. Returns the
 * problems, and the ids up to which it has looked.
 */
export async function auditEnds(
  audit: CoverAudit,
  from: number | undefined,
  lookedUntil: readonly string[],
): Promise<{ problems: FoundProblem[]; lookedUntil: string[] }> {
  if (from === undefined) return { problems: [], lookedUntil: [] }
  const problems: FoundProblem[] = []
  const until: string[] = []
  for (const [index, ageMs] of audit.times.agesMs.entries()) {
    const span = {
      from: latest(firstIdAt(from), lookedUntil[index]),
      before: firstIdAt(audit.now - ageMs),
    }
    until.push(await auditSpan(audit, span, problems))
  }
  return { problems, lookedUntil: until }
}

interface Span {
  from: AlertId
  before: AlertId
}

/** Adds the problems of a span of ids; returns the id up to which it has looked. */
async function auditSpan({ bus, db }: CoverAudit, span: Span, problems: FoundProblem[]): Promise<AlertId> {
  let { from } = span
  for (let page = 0; page < mostPages && from < span.before; page++) {
    const { alerts, hasMore } = await sendRequest(bus, listAlertEnds, { from, before: span.before })
    problems.push(...(await problemsOf(db, alerts)))
    if (!hasMore) return span.before
    from = alerts.at(-1)?.alertId ?? span.before
  }
  return from
}

async function problemsOf(db: Db, alerts: readonly AlertEnds[]): Promise<FoundProblem[]> {
  const ran = alerts.filter((ends) => executionsOf(ends) > 0)
  if (ran.length === 0) return []
  const states = await findStates(
    db,
    ran.map(({ alertId }) => alertId),
  )
  return ran.flatMap((ends) => [
    ...(states.has(ends.alertId) ? [] : [problemWith(ends, 'no_receipt')]),
    ...(hasEndedTwice(ends) ? [problemWith(ends, 'ended_twice')] : []),
  ])
}

/** Returns a problem with an alert. */
export function problemWith(
  { alertId, userId }: Pick<FoundProblem, 'alertId' | 'userId'>,
  kind: FoundProblem['kind'],
): FoundProblem {
  return { alertId, userId, kind, text: problemTexts[kind] }
}

function latest(one: AlertId, other: string | undefined): AlertId {
  return other !== undefined && other > one ? (other as AlertId) : one
}
