import { z } from 'zod'

const RecentWebhook = z.object({ id: z.string(), message: z.string(), timestamp: z.iso.datetime() })
/** A message that was executed from this browser. */
export type RecentWebhook = z.infer<typeof RecentWebhook>

const keptWebhooks = 20

/** The list as it was stored; empty where nothing readable was. */
export function readRecentWebhooks(stored: string | null): RecentWebhook[] {
  if (stored === null) return []
  try {
    return z.array(RecentWebhook).parse(JSON.parse(stored)).slice(0, keptWebhooks)
  } catch {
    return []
  }
}

/** The list with this webhook first; an older one with the same message gives way to it. */
export function withRecentWebhook(list: readonly RecentWebhook[], newest: RecentWebhook): RecentWebhook[] {
  const others = list.filter(({ message }) => message !== newest.message)
  return [newest, ...others].slice(0, keptWebhooks)
}
