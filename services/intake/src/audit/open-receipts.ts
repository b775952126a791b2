import { setTimeout as sleep } from 'node:timers/promises'
import type { Bus } from '@tripline/kit/bus/bus'
import { sendRequest } from '@tripline/kit/bus/request'
import { steadyNow } from '@tripline/kit/time/clock'
import { type AlertEnds, mostAlertEnds, readAlertEnds } from '@tripline/proto/history-request'
import type { AlertId } from '@tripline/proto/id'
import { hasEnded, stateBy } from '../domain/receipt-state.ts'
import { changeStates, findLost, findOpen, type OpenReceipt, type StateChange } from '../store/audit-rows.ts'
import type { Db } from '../store/tables.ts'
import { presentAlerts } from './stored-alerts.ts'

/** The delays of the audit of open receipts. */
export interface OpenTimes {
  /** The age from which on an alert should have ended. */
  graceMs: number
  /** Between two looks at a stream that seems to lack an alert: a copy may lag, and a leader be new. */
  lookAgainMs: number
}

export interface OpenAudit {
  bus: Bus
  db: Db
  now: number
  times: OpenTimes
  /** Ends the audit before its next step. */
  signal: AbortSignal
  /** Notifies the owner of an alert that was lost. */
  report: (receipt: OpenReceipt, ends: AlertEnds | undefined) => Promise<void>
}

/** The outcome of a look at all open receipts. */
export interface OpenCounts {
  open: number
  waiting: number
  lost: number
}

/** Compares all open receipts with history and stream. Throws where either does not answer, or history is behind. */
export async function auditOpen(audit: OpenAudit): Promise<OpenCounts> {
  const counts = { open: 0, waiting: 0, lost: 0 }
  const before = audit.now - audit.times.graceMs
  const pause = pauseOnce(audit)
  let after = ''
  for (;;) {
    const page = await findOpen(audit.db, { before, after, limit: mostAlertEnds })
    const changes = await auditPage(audit, page, pause)
    for (const { to } of changes) if (to in counts) counts[to as keyof OpenCounts]++
    if (page.length < mostAlertEnds) return counts
    after = page.at(-1)?.alertId ?? ''
  }
}

/** Returns a pause that is made once, however many pages need it. */
function pauseOnce({ times, signal }: OpenAudit): () => Promise<void> {
  let pausing: Promise<void> | undefined
  return async () => {
    pausing ??= sleep(times.lookAgainMs, undefined, { signal })
    await pausing
  }
}

async function auditPage(
  audit: OpenAudit,
  page: readonly OpenReceipt[],
  pause: () => Promise<void>,
): Promise<StateChange[]> {
  audit.signal.throwIfAborted()
  const { db, now } = audit
  const { ends } = await readEnds(audit, page)
  const running = page.filter(({ alertId, blocks }) => !hasEnded(ends.get(alertId), blocks))
  const over = page.filter((receipt) => !running.includes(receipt))
  await changeStates(db, over.map(changeTo('ended')), now)
  if (running.length === 0) return []
  // An alert leaves the stream behind its last event: the end of one that is not there was stored before.
  const present = await lookTwice(audit, running, pause)
  const later = await readAllEnds(audit, running)
  const changes = running.map((receipt) => {
    const { alertId, blocks, isConfirmed, receivedAt } = receipt
    const found = { ends: later.get(alertId), isInStream: present.has(alertId) }
    const ageMs = now - Date.parse(receivedAt)
    return changeTo(stateBy({ blocks, isConfirmed, ageMs, ...found }))(receipt)
  })
  const lost = new Set(changes.filter(({ to }) => to === 'lost').map(({ alertId }) => alertId))
  await Promise.all(
    running
      .filter(({ alertId }) => lost.has(alertId))
      .map(async (receipt) => await audit.report(receipt, later.get(receipt.alertId))),
  )
  const changed = changes.filter(({ from, to }) => from !== to)
  await changeStates(db, changed, now)
  return changes
}

/** Returns which alerts lie in the stream; those that do not are looked for once more. */
async function lookTwice(
  { bus }: OpenAudit,
  running: readonly OpenReceipt[],
  pause: () => Promise<void>,
): Promise<Set<AlertId>> {
  const present = await presentAlerts(bus, running)
  const missing = running.filter(({ alertId }) => !present.has(alertId))
  if (missing.length === 0) return present
  await pause()
  return new Set([...present, ...(await presentAlerts(bus, missing))])
}

/** The time in which history takes what was just stored, and the pause between two questions. */
const takenWithinMs = 5000
const askAgainMs = 200

/** The ends of alerts by all events that were stored until now. Throws where history has not taken them in time. */
async function readAllEnds(
  audit: OpenAudit,
  receipts: readonly OpenReceipt[],
): Promise<Map<AlertId, AlertEnds>> {
  const deadline = steadyNow() + takenWithinMs
  let found = await readEnds(audit, receipts)
  const { storedUntil } = found
  while (found.takenUntil < storedUntil) {
    if (steadyNow() > deadline) throw new Error('history has not taken all events yet')
    await sleep(askAgainMs, undefined, { signal: audit.signal })
    found = await readEnds(audit, receipts)
  }
  return found.ends
}

async function readEnds(
  { bus }: Pick<OpenAudit, 'bus'>,
  receipts: readonly OpenReceipt[],
): Promise<{ ends: Map<AlertId, AlertEnds>; storedUntil: number; takenUntil: number }> {
  if (receipts.length === 0) return { ends: new Map(), storedUntil: 0, takenUntil: 0 }
  const alerts = receipts.map(({ userId, alertId }) => ({ userId, alertId }))
  const { alerts: found, ...taken } = await sendRequest(bus, readAlertEnds, { alerts })
  return { ends: new Map(found.map((ends) => [ends.alertId, ends])), ...taken }
}

/** Returns the change of a receipt's state to another one. */
export function changeTo(to: StateChange['to']): (receipt: OpenReceipt) => StateChange {
  return ({ alertId, state }) => ({ alertId, from: state, to })
}

const lostForMs = 86_400_000

/** Finds lost alerts that have ended after all. */
export async function findEndedLost({
  bus,
  db,
  now,
}: Pick<OpenAudit, 'bus' | 'db' | 'now'>): Promise<OpenReceipt[]> {
  const lost = await findLost(db, now - lostForMs, mostAlertEnds)
  const { ends } = await readEnds({ bus }, lost)
  return lost.filter(({ alertId, blocks }) => hasEnded(ends.get(alertId), blocks))
}
