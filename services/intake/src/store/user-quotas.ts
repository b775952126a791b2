import type { AlertId, UserId } from '@tripline/proto/id'
import { type Cost, exitShare, type Quotas, shareOf } from '../domain/quota.ts'
import { type Origin, overQuota, type Refusal, unrecordedRefusal } from '../domain/refusal.ts'
import type { UserSpending } from './spending.ts'
import type { WaitingAlerts } from './waiting.ts'

/** An alert that is to be stored; one that only closes or cancels has a part of each quota that no other may take. */
export interface CountedAlert {
  userId: UserId
  alertId: AlertId
  cost: Cost
  isExit: boolean
}

/** Limits what each user may have stored. */
export interface UserQuotas {
  /** Takes what an alert needs; returns the refusal where a quota is exceeded by it. */
  take: (alert: CountedAlert, now: number) => Promise<Refusal | undefined>
  /** Takes the bytes of an event for a refusal; returns the refusal to count instead if that is too much. */
  takeRefusal: (userId: UserId, origin: Origin, bytes: number, now: number) => Promise<Refusal | undefined>
  /** Gives back what an alert holds while it waits; returns whether it held anything here. */
  release: (alertId: string) => boolean
}

/** Spent on alerts, and apart from it on events of refusals: strangers must not spend what alerts need. */
export type Spendings = Record<'alerts' | 'own' | 'foreign', UserSpending>

/** The quotas of what is spent and of what waits. */
export function openUserQuotas(
  spendings: Spendings,
  waiting: WaitingAlerts,
  quotas: Quotas,
  refusedBytesPerDay: number,
): UserQuotas {
  return {
    take: async ({ userId, alertId, cost, isExit }, now) => {
      const share = isExit ? exitShare : 1
      const over = await waiting.take(userId, alertId, cost, isExit)
      const excess = over ?? (await spendings.alerts.take(userId, cost, now, share))
      if (excess === undefined) return undefined
      waiting.release(alertId)
      return overQuota(excess, shareOf(quotas, share), isExit)
    },
    takeRefusal: async (userId, origin, bytes, now) => {
      const spending = origin === 'foreign' ? spendings.foreign : spendings.own
      const excess = await spending.take(userId, { bytes, commands: 0, orders: 0 }, now)
      return excess && unrecordedRefusal(origin, refusedBytesPerDay)
    },
    release: waiting.release,
  }
}
