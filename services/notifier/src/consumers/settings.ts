import { watchBucket } from '@tripline/kit/bus/bucket'
import type { Bus } from '@tripline/kit/bus/bus'
import type { UserId } from '@tripline/proto/id'
import { NotificationConfig } from '@tripline/proto/notification'

/** The notifications that every user wants, kept current from the bus. */
export interface Settings {
  of: (userId: UserId) => NotificationConfig | undefined
  stop: () => void
}

/**
 * Follows all settings; resolves once all are known, and calls back for each user who is sent to elsewhere from then
 * on.
 */
export async function watchSettings(bus: Bus, onMoved: (userId: UserId) => void): Promise<Settings> {
  const known = new Map<string, NotificationConfig>()
  let isComplete = false
  const stop = await watchBucket(bus, 'notifications', ({ key, text }) => {
    const before = known.get(key)
    const settings = text === undefined ? undefined : readSettings(bus, key, text)
    if (settings === undefined) known.delete(key)
    else if (settings.version >= (before?.version ?? 0)) known.set(key, settings)
    if (isComplete && settings !== undefined && hasMoved(before, settings)) onMoved(settings.userId)
  })
  isComplete = true
  return { of: (userId) => known.get(userId), stop }
}

function hasMoved(before: NotificationConfig | undefined, after: NotificationConfig): boolean {
  return (['isEnabled', 'sealedToken', 'chatId'] as const).some((name) => before?.[name] !== after[name])
}

function readSettings(bus: Bus, key: string, text: string): NotificationConfig | undefined {
  try {
    return NotificationConfig.parse(JSON.parse(text))
  } catch (error) {
    bus.log.error(
      { cause: error instanceof Error ? error.name : 'unknown', userId: key },
      'settings not readable',
    )
    return undefined
  }
}
