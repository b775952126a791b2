import { setTimeout as sleep } from 'node:timers/promises'
import { StreamRefusal } from '@tripline/kit/bus/acknowledged-publish'
import { openBucket } from '@tripline/kit/bus/bucket'
import type { Bus } from '@tripline/kit/bus/bus'
import { expiringMap } from '@tripline/kit/time/expiring-map'
import { AlertId, type UserId } from '@tripline/proto/id'
import { z } from 'zod'
import { receivedAtOf } from '../alert-id.ts'
import type { IdExcess, IdRoom } from './id-room.ts'

/** Time for which an id is known. */
export const idRetentionMs = 86_400_000
const mostClaimed = 20_000
/** Time after its claim in which an id is freed, if it ever is; later it has to be looked up. */
const freedWithinMs = 120_000
const attemptMs = 300
const againMs = 10

/** The holder of an id, as the bucket has it. */
export const Holder = z.object({ alertId: AlertId })

/** An id of a user's alert, under a name that a bucket takes. */
export interface OwnedId {
  userId: UserId
  name: string
}

/** An alert that is to hold an id. */
export interface IdClaim {
  id: OwnedId
  alertId: AlertId
  /** Whether an alert is known to hold it already, which takes no room then. */
  isKnown: boolean
  isExit: boolean
  /** The time that the bus may take to find who has it. */
  withinMs: number
}

/** The ids that alerts gave themselves, durable like the alerts. */
export interface Ids {
  /**
   * The alert that holds the id: this one, if no other had it in the last 24 h, whether or not the bus keeps that. The
   * excess where nobody has it and its user has no room for another one. Throws where it is not known in time.
   */
  claim: (claim: IdClaim) => Promise<AlertId | IdExcess>
  /** Frees an id that this alert holds, of which nothing was done. */
  free: (id: OwnedId, alertId: AlertId) => Promise<void>
}

interface IdEntry {
  holder: AlertId
  revision: number
}

/** The bucket of ids; which of several claims came first is decided there. */
export async function openIds(bus: Bus, clock: () => number, room: IdRoom): Promise<Ids> {
  const bucket = await openBucket(bus, 'ids', attemptMs)
  // Stored so that an id is freed in one step, before its sender can come again.
  const claimed = expiringMap<IdEntry>(freedWithinMs, mostClaimed)
  const entryAt = async (key: string): Promise<IdEntry | undefined> => {
    const entry = await bucket.get(key)
    return entry && { holder: Holder.parse(JSON.parse(entry.text)).alertId, revision: entry.revision }
  }
  const isOver = ({ holder }: IdEntry): boolean => clock() - receivedAtOf(holder) > idRetentionMs
  const put = async (id: OwnedId, alertId: AlertId, over: number): Promise<boolean> => {
    const revision = await bucket.putIf(keyOf(id), JSON.stringify({ alertId }), over)
    if (revision === undefined) return false
    claimed.set(keyOf(id), { holder: alertId, revision }, clock())
    return true
  }
  const take = async (id: OwnedId, alertId: AlertId): Promise<AlertId | undefined> => {
    if (await put(id, alertId, 0)) return alertId
    const entry = await entryAt(keyOf(id))
    // Without one it was freed at this moment.
    if (entry === undefined) return undefined
    if (!isOver(entry)) return entry.holder
    return (await put(id, alertId, entry.revision)) ? alertId : undefined
  }
  const holderOf = async (id: OwnedId): Promise<AlertId | undefined> => {
    const entry = await entryAt(keyOf(id))
    return entry === undefined || isOver(entry) ? undefined : entry.holder
  }
  return {
    claim: async ({ id, alertId, isKnown, isExit, withinMs }) => {
      const deadline = clock() + withinMs
      let taking: Promise<IdExcess | undefined> | undefined
      let isRefused = false
      const hold = async (): Promise<AlertId | IdExcess | undefined> => {
        const holder = isKnown ? await holderOf(id) : undefined
        if (holder !== undefined) return holder
        taking ??= room.take(id.userId, isExit, clock())
        const excess = await taking
        if (excess === undefined && !isRefused) return await take(id, alertId)
        // Redis knows what the bus refused to keep, as long as that lives.
        return (await holderOf(id)) ?? excess ?? alertId
      }
      for (;;) {
        try {
          const holder = await hold()
          if (holder !== undefined) return holder
        } catch (error) {
          if (clock() > deadline) throw error
          if (!isRefused && error instanceof StreamRefusal) {
            bus.log.error({ err: error, alertId }, 'id not stored')
            isRefused = true
          }
        }
        await sleep(againMs)
      }
    },
    free: async (id, alertId) => {
      try {
        const known = claimed.get(keyOf(id), clock())
        const entry = known?.holder === alertId ? known : await entryAt(keyOf(id))
        if (entry?.holder === alertId) await bucket.remove(keyOf(id), entry.revision)
      } catch (error) {
        bus.log.warn({ err: error }, 'id not freed')
      }
    },
  }
}

function keyOf({ userId, name }: OwnedId): string {
  return `${userId}.${name}`
}
