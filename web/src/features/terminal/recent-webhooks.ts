import { z } from 'zod'

const RecentWebhook = z.object({
  id: z.string(),
  message: z.string(),
  timestamp: z.iso.datetime(),
  /** Stored, and shown first, until it is unpinned. */
  pinned: z.boolean().optional(),
})
/** A message that was executed from this browser. */
export type RecentWebhook = z.infer<typeof RecentWebhook>

const mostWebhooks = 20

/** The list as it was stored; empty where nothing readable was. */
export function readRecentWebhooks(stored: string | null): RecentWebhook[] {
  if (stored === null) return []
  try {
    return z.array(RecentWebhook).parse(JSON.parse(stored)).slice(0, mostWebhooks)
  } catch {
    return []
  }
}

/** The list with this webhook as its newest; an older one with the same message gives way to it, and leaves it its pin. */
export function withRecentWebhook(list: readonly RecentWebhook[], newest: RecentWebhook): RecentWebhook[] {
  const older = list.find(({ message }) => message === newest.message)
  const others = list.filter((webhook) => webhook !== older)
  return newestOf([older?.pinned ? { ...newest, pinned: true } : newest, ...others])
}

/** The list with this webhook pinned, or no longer. */
export function withPin(list: readonly RecentWebhook[], id: string, pinned: boolean): RecentWebhook[] {
  return newestOf(list.map((webhook) => (webhook.id === id ? { ...webhook, pinned } : webhook)))
}

/** The list without this webhook. */
export function withoutWebhook(list: readonly RecentWebhook[], id: string): RecentWebhook[] {
  return list.filter((webhook) => webhook.id !== id)
}

/** Pinned ones first, each group from new to old, and no more than are stored. */
function newestOf(list: readonly RecentWebhook[]): RecentWebhook[] {
  const newestFirst = list.toSorted((one, other) => other.timestamp.localeCompare(one.timestamp))
  const [pinned, others] = [
    newestFirst.filter((each) => each.pinned),
    newestFirst.filter((each) => !each.pinned),
  ]
  return [...pinned, ...others].slice(0, mostWebhooks)
}
