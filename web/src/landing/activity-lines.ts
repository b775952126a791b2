import type { PublicEvent } from '@tripline/proto/public-event'

/** One event in the list, with a number that no other has. */
export interface ActivityLine {
  id: number
  event: PublicEvent
}

const mostLines = 200

/**
 * The lines with one more event, the newest 200 of them. Each connection begins with the last events again: what is
 * not newer than what was there before it (`since`) is left out. Greetings are no activity.
 */
export function withEvent(
  lines: readonly ActivityLine[],
  event: PublicEvent,
  since: string | undefined,
): readonly ActivityLine[] {
  if (event.type === 'connected') return lines
  if (since !== undefined && event.timestamp <= since) return lines
  const id = (lines.at(-1)?.id ?? 0) + 1
  return [...lines, { id, event }].slice(-mostLines)
}

/** The event in a line of the stream, or undefined where there is none. */
export function readPublicEvent(text: string): PublicEvent | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isPublicEvent(value) ? value : undefined
  } catch {
    return undefined
  }
}

// By hand, since the schemas' library weighs as much as a fifth of this page; only what is shown is looked at.
function isPublicEvent(value: unknown): value is PublicEvent {
  if (typeof value !== 'object' || value === null) return false
  const { timestamp, type, message, details }: Partial<Record<keyof PublicEvent, unknown>> = value
  const isLine = typeof type === 'string' && typeof message === 'string' && isInstant(timestamp)
  return isLine && (details === undefined || typeof details === 'object')
}

function isInstant(value: unknown): boolean {
  return typeof value === 'string' && !Number.isNaN(Date.parse(value))
}
