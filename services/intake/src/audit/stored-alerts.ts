import type { Bus } from '@tripline/kit/bus/bus'
import { storedMessage } from '@tripline/kit/bus/last-message'
import { messagesOf } from '@tripline/kit/bus/stored-messages'
import { limitConcurrency } from '@tripline/kit/concurrency-limit'
import type { AlertId, UserId } from '@tripline/proto/id'
import { alertSubject } from '@tripline/proto/subject'
import { z } from 'zod'
import type { OpenReceipt } from '../store/audit-rows.ts'

const atOnce = 16
const StoredId = z.object({ alertId: z.string() })

/** Returns which of these alerts lie in the stream, wherever in it. */
export async function presentAlerts(
  bus: Bus,
  receipts: readonly Pick<OpenReceipt, 'userId' | 'alertId' | 'sequence'>[],
): Promise<Set<AlertId>> {
  const inTurn = limitConcurrency({ atOnce, waiting: Number.POSITIVE_INFINITY, refusal: '' })
  const found = await Promise.all(
    receipts.map(async (receipt) =>
      (await inTurn(async () => await isAtItsPlace(bus, receipt))) ? [] : [receipt],
    ),
  )
  const elsewhere = await idsOf(bus, new Set(found.flat().map(({ userId }) => userId)))
  const missing = new Set(found.flat().map(({ alertId }) => alertId))
  return new Set(
    receipts
      .map(({ alertId }) => alertId)
      .filter((alertId) => !missing.has(alertId) || elsewhere.has(alertId)),
  )
}

/** A stream that was made anew, or fell back, has another alert at a sequence than it had. */
async function isAtItsPlace(
  bus: Bus,
  { alertId, sequence }: Pick<OpenReceipt, 'alertId' | 'sequence'>,
): Promise<boolean> {
  if (sequence === null) return false
  const text = (await storedMessage(bus.manager.streams, 'ALERTS', sequence))?.string()
  return text !== undefined && alertIn(text) === alertId
}

/** The ids of everything of these users that lies in the stream; stored again it has another place. */
async function idsOf(bus: Bus, userIds: ReadonlySet<UserId>): Promise<Set<string>> {
  const ids = new Set<string>()
  for (const userId of userIds) {
    const part = { stream: 'ALERTS', filter: alertSubject(userId), first: 1, last: Number.MAX_SAFE_INTEGER }
    for await (const { text } of messagesOf(bus, part)) {
      const alertId = alertIn(text)
      if (alertId !== undefined) ids.add(alertId)
    }
  }
  return ids
}

function alertIn(text: string): string | undefined {
  try {
    return StoredId.safeParse(JSON.parse(text)).data?.alertId
  } catch {
    return undefined
  }
}
