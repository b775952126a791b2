import { setTimeout as sleep } from 'node:timers/promises'
import { type Bus, store } from '@tripline/kit/bus/bus'
import type { AlertEnds } from '@tripline/proto/history-request'
import { eventSubject } from '@tripline/proto/subject'
import type { BotConfig } from '@tripline/proto/user-config'
import type { Webhooks } from '../consumers/webhooks.ts'
import { lostEvent } from '../domain/lost-event.ts'
import { type Reading, readAlert } from '../domain/reading.ts'
import { lostText } from '../domain/receipt-state.ts'
import type { Webhook } from '../domain/webhook.ts'
import type { IntakeMetrics } from '../metrics.ts'
import {
  type AuditProgress,
  changeStates,
  deleteReceiptsBefore,
  type FoundProblem,
  inAuditTurn,
  noteProblems,
  type OpenReceipt,
  resolveProblems,
} from '../store/audit-rows.ts'
import type { Db } from '../store/tables.ts'
import { auditEnds, type CoverTimes, coveredFrom, problemWith } from './alert-ends.ts'
import { auditOpen, changeTo, findEndedLost, type OpenCounts, type OpenTimes } from './open-receipts.ts'

const dayMs = 86_400_000
const sweepMs = 3_600_000

export type AuditTimes = OpenTimes & CoverTimes & { everyMs: number }

/** The usual delays of the audit, which is made so often. */
export function auditTimes(everyMs: number): AuditTimes {
  return {
    everyMs,
    graceMs: 10_000,
    lookAgainMs: 2000,
    agesMs: [90_000, 900_000, dayMs],
    gapMs: 3 * everyMs,
    settleMs: 600_000,
  }
}

export interface AuditDeps {
  bus: Bus
  db: Db
  clock: () => number
  webhooks: Pick<Webhooks, 'ofUser'>
  metrics: Pick<IntakeMetrics, 'receiptFaults'>
  times: AuditTimes
  /** The days for which receipts are stored. */
  retentionDays: number
}

/** The audit of receipts, which some intake makes now and then. */
export interface Audit {
  /** When the last audit of any intake ended; undefined before the first one. */
  auditedAt: () => number | undefined
  /** The receipts without an end that the last audit of this process left. */
  counts: () => OpenCounts | undefined
  stop: () => Promise<void>
}

/** Audits again and again, as long as no other intake does. */
export function keepAudit(deps: AuditDeps): Audit {
  const { bus, db, clock, times, retentionDays } = deps
  const stopping = new AbortController()
  let auditedAt: number | undefined
  let counts: OpenCounts | undefined
  let sweptAt = 0
  const turn = async (): Promise<void> => {
    const now = clock()
    let own: OpenCounts | undefined
    auditedAt = await inAuditTurn(db, { now, everyMs: times.everyMs }, async (progress) => {
      const audited = await auditOnce(deps, progress, now, stopping.signal)
      own = audited.counts
      return audited.progress
    })
    counts = own
    if (clock() - sweptAt < sweepMs) return
    sweptAt = clock()
    const deleted = await deleteReceiptsBefore(db, clock() - retentionDays * dayMs)
    if (deleted > 0) bus.log.info({ deleted }, 'old receipts deleted')
  }
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await turn().catch((error: unknown) => bus.log.warn({ err: error }, 'receipts not audited'))
      await sleep(times.everyMs, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined)
    }
  }
  const running = run()
  return {
    auditedAt: () => auditedAt,
    counts: () => counts,
    stop: async () => {
      stopping.abort()
      await running
    },
  }
}

/** One audit. What fails is tried again in the next turn; that this one was made counts all the same. */
export async function auditOnce(
  deps: AuditDeps,
  progress: AuditProgress,
  now: number,
  signal: AbortSignal,
): Promise<{ progress: AuditProgress; counts?: OpenCounts }> {
  const { bus, db, times } = deps
  const from = await coveredFrom({ db, now, times }, progress)
  const turn = { ...progress, turnAt: now, coveredFrom: from }
  try {
    const report = async (receipt: OpenReceipt, ends: AlertEnds | undefined): Promise<void> =>
      await reportLost(deps, receipt, ends)
    const counts = await auditOpen({ bus, db, now, times, signal, report })
    const ended = await findEndedLost({ bus, db, now })
    const endedProblems = ended.map((receipt) => problemWith(receipt, 'ended_after_lost'))
    const looked = await auditEnds({ bus, db, now, times }, from, progress.lookedUntil)
    await noteNew(deps, [...endedProblems, ...looked.problems], now)
    await changeStates(db, ended.map(changeTo('ended')), now)
    await resolveProblems(db)
    return { progress: { ...turn, auditedAt: now, lookedUntil: looked.lookedUntil }, counts }
  } catch (error) {
    bus.log.warn({ err: error }, 'audit of receipts not finished')
    return { progress: turn }
  }
}

async function noteNew(
  { bus, db, metrics }: AuditDeps,
  problems: FoundProblem[],
  now: number,
): Promise<void> {
  for (const { alertId, kind } of await noteProblems(db, problems, now)) {
    metrics.receiptFaults.add({ kind })
    bus.log.error({ alertId, kind }, 'alert and receipt do not match')
  }
}

const attemptMs = 2000
const reportWithinMs = 5000

/** Notifies the owner by an event that history, live screens and the notifier know. */
async function reportLost(
  { bus, clock, webhooks, metrics }: AuditDeps,
  { userId, alertId, receivedAt, message, blocks }: OpenReceipt,
  ends: AlertEnds | undefined,
): Promise<void> {
  const webhook = webhooks.ofUser(userId)
  const body = message ?? ''
  const at = Date.parse(receivedAt)
  const reading = webhook && readAlert(body, webhook, at)
  const text = reading?.message ?? body
  const alert = {
    alertId,
    userId,
    message: text,
    receivedAt: at,
    bot: webhook && firstBotOf(reading, webhook),
  }
  const raw = body === text ? {} : { body }
  const event = lostEvent({ ...alert, ...raw }, lostText(ends, blocks), clock())
  bus.log.error({ alertId, userId }, 'accepted alert is lost')
  await store(bus, eventSubject(userId, event.botId), JSON.stringify(event), {
    messageId: event.eventId,
    attemptMs,
    deadlineMs: reportWithinMs,
  })
  metrics.receiptFaults.add({ kind: 'lost' })
}

/** The first bot that a message names, as its user has them now. */
function firstBotOf(reading: Reading | undefined, { botsByLabel }: Webhook): BotConfig | undefined {
  return reading?.outcome === 'read' ? botsByLabel.get(reading.blocks[0]?.label ?? '') : reading?.bot
}
