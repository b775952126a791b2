import type { AlertId, UserId } from '@tripline/proto/id'
import { type Cost, type Excess, exitShare, type Quotas } from '../domain/quota.ts'
import type { AlertRoom } from './alert-room.ts'

// The wait in the answer; nobody knows when the alerts before will be done.
const againMs = 10_000
// From this share of a quota on the stream is asked: several replicas may each know of as much.
const askedFrom = 0.25

type WaitingQuotas = Pick<Quotas, 'bytesWaiting' | 'commandsWaiting' | 'alertsWaiting'>
type AlertCost = Pick<Cost, 'bytes' | 'commands'>
type Waiting = AlertCost & { alerts: number }

/** Counts what each user has stored that is not done yet. */
export interface WaitingAlerts {
  /** Takes the cost where no quota is exceeded by it, nor the user's part of the room, else returns which one is. */
  take: (userId: UserId, alertId: AlertId, cost: AlertCost, isExit?: boolean) => Promise<Excess | undefined>
  /** Counts an alert no more; returns whether it was counted. */
  release: (alertId: string) => boolean
}

/**
 * Alerts that this process stored, until their result is received. Above a quarter of a quota, and once the user's part
 * of the room is used up, the stream is asked how many of the user really lie there: results that were not received are
 * forgotten, and those of other replicas are taken for as large.
 */
export function openWaiting(
  countOf: (userId: UserId) => Promise<number>,
  { bytesWaiting, commandsWaiting, alertsWaiting }: WaitingQuotas,
  room: AlertRoom,
): WaitingAlerts {
  const users = new Map<UserId, Map<string, AlertCost>>()
  const owners = new Map<string, UserId>()
  const release = (alertId: string): boolean => {
    const userId = owners.get(alertId)
    if (userId === undefined) return false
    owners.delete(alertId)
    const alerts = users.get(userId)
    alerts?.delete(alertId)
    if (alerts?.size === 0) users.delete(userId)
    return true
  }
  const excess = (
    { bytes, commands, alerts }: Waiting,
    share: number,
    isExit: boolean,
  ): Excess | undefined => {
    if (bytes > bytesWaiting * share) return { quota: 'bytesWaiting', waitMs: againMs }
    if (commands > commandsWaiting * share) return { quota: 'commandsWaiting', waitMs: againMs }
    if (alerts > alertsWaiting * share) return { quota: 'alertsWaiting', waitMs: againMs }
    const most = room.most({ count: alerts, isExit, share })
    return bytes > most ? { quota: 'roomLeft', waitMs: againMs } : undefined
  }
  /** Returns all that waits with one more alert, as far as the stream says how many there are. */
  const estimate = async (userId: UserId, cost: AlertCost): Promise<Waiting> => {
    const stored = await countOf(userId).catch(() => undefined)
    const known = [...(users.get(userId)?.keys() ?? [])]
    // The oldest are done first, more or less.
    for (const alertId of known.slice(0, Math.max(0, known.length - (stored ?? known.length))))
      release(alertId)
    const alerts = [...(users.get(userId)?.values() ?? []), cost]
    const { bytes, commands } = sumOf(alerts)
    const count = stored === undefined ? alerts.length : stored + 1
    const factor = count / alerts.length
    return { bytes: bytes * factor, commands: commands * factor, alerts: count }
  }
  return {
    take: async (userId, alertId, cost, isExit = false) => {
      const alerts = users.get(userId) ?? new Map<string, AlertCost>()
      if (excess(sumOf([...alerts.values(), cost]), askedFrom, isExit) !== undefined) {
        const found = excess(await estimate(userId, cost), isExit ? exitShare : 1, isExit)
        if (found !== undefined) return found
      }
      room.note(cost.bytes)
      users.set(userId, (users.get(userId) ?? alerts).set(alertId, cost))
      owners.set(alertId, userId)
      return undefined
    },
    release,
  }
}

function sumOf(costs: readonly AlertCost[]): Waiting {
  const sum = { bytes: 0, commands: 0, alerts: costs.length }
  for (const { bytes, commands } of costs) {
    sum.bytes += bytes
    sum.commands += commands
  }
  return sum
}
