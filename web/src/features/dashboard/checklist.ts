/** The steps from a new account to the first trades, in their order. */
export const stepIds = ['key', 'test', 'url', 'alert', 'notifications'] as const
export type StepId = (typeof stepIds)[number]

/** The known facts of an account; undefined while they are not known yet. */
export interface Known {
  keys: readonly { last_test: { success: boolean } | null }[] | undefined
  lastAlertAt: string | null | undefined
  isUrlCopied: boolean
  notifications: NotificationSettings | undefined
}

interface NotificationSettings {
  telegram_enabled: boolean
  telegram_bot_token: string | null
  telegram_chat_id: string | null
}

/** Which steps are done; undefined until all of it is known, so that nothing flashes by. */
export function doneSteps(known: Known): Set<StepId> | undefined {
  const { keys, lastAlertAt, isUrlCopied, notifications } = known
  if (keys === undefined || lastAlertAt === undefined || notifications === undefined) return undefined
  const { telegram_enabled, telegram_bot_token, telegram_chat_id } = notifications
  const done: Record<StepId, boolean> = {
    key: keys.length > 0,
    test: keys.some(({ last_test }) => last_test?.success === true),
    url: isUrlCopied,
    alert: lastAlertAt !== null,
    notifications: telegram_enabled && Boolean(telegram_bot_token) && Boolean(telegram_chat_id),
  }
  return new Set(stepIds.filter((id) => done[id]))
}
