/**
 * The outcome of an attempt to send. `refused` is the owner's to mend, `later` mends itself, `unreadable` is a text
 * that Telegram will never take.
 */
export type Sending =
  | { outcome: 'sent' }
  | { outcome: 'refused'; error: string }
  | { outcome: 'later'; error: string; retryAfterMs: number | undefined }
  | { outcome: 'unreadable' }

export const unreachable = 'Telegram cannot be reached'
const longestRetryAfterS = 3600

/** Returns what is to be done after Telegram's answer; its own words are shown to nobody. */
export function sendingOf(status: number, description: string, retryAfterS: number | undefined): Sending {
  if (status >= 200 && status < 300) return { outcome: 'sent' }
  switch (status) {
    case 401:
    case 404:
      return { outcome: 'refused', error: 'Telegram does not know this bot token' }
    case 403:
      return {
        outcome: 'refused',
        error: 'The bot may not write to this chat: start it there, or let it in again',
      }
    case 400:
      if (/parse|too long|text is empty/i.test(description)) return { outcome: 'unreadable' }
      return {
        outcome: 'refused',
        error: 'Telegram does not know this chat id for the bot: write to the bot first, or correct the id',
      }
    case 429:
      return {
        outcome: 'later',
        error: 'Telegram asks to send less; messages follow later',
        retryAfterMs: retryAfterS && waitOf(retryAfterS),
      }
    default:
      return { outcome: 'later', error: unreachable, retryAfterMs: undefined }
  }
}

function waitOf(retryAfterS: number): number {
  if (retryAfterS > longestRetryAfterS) return longestRetryAfterS * 1000
  return retryAfterS * 1000
}

/** Waits grow twofold to these; a broken token is tried again rarely, since only its owner can mend it. */
const longestWaitMs = { later: 300_000, refused: 3_600_000 }
const refusedFactor = 60

/** Returns the wait after so many failures in a row. */
export function retryDelayMs(
  failure: Extract<Sending, { outcome: 'later' | 'refused' }>,
  attempts: number,
  firstMs: number,
): number {
  if (failure.outcome === 'later' && failure.retryAfterMs !== undefined) return failure.retryAfterMs
  const longest = longestWaitMs[failure.outcome]
  let delay = failure.outcome === 'refused' ? firstMs * refusedFactor : firstMs
  for (let failed = 0; failed < attempts && delay < longest; failed++) delay *= 2
  if (delay > longest) return longest
  return delay
}
