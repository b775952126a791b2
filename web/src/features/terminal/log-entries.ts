import type { LiveEvent } from '@tripline/proto/live-event'
import type { LiveLine } from '../../shared/live/live-lines.ts'
import { timeText } from '../../shared/moment-text.ts'
import { numbersInText } from '../../shared/number-text.ts'

/** One row of the log: an event, or several in a row about the same connection. */
export interface LogEntry extends LiveLine {
  /** The number of events it stands for. */
  count: number
}

export type EventKind = LiveEvent['type']

/** The filter of the log. */
export interface LogFilter {
  hidden: ReadonlySet<EventKind>
  /** The text that a message must contain, in any case. */
  text: string
}

/** Returns the rows of these lines that pass the filter; a run about one connection is one, at its newest time. */
export function logEntries(lines: readonly LiveLine[], { hidden, text }: LogFilter): LogEntry[] {
  const wanted = text.trim().toLowerCase()
  const entries: LogEntry[] = []
  for (const line of lines) {
    const { type, message } = line.event
    const read = `${botOf(line.event) ?? ''} ${message}`.toLowerCase()
    if (hidden.has(type) || !read.includes(wanted)) continue
    const last = entries.at(-1)
    if (last && repeats(last.event, line.event)) {
      // The number of the first stays, so that the row does.
      entries[entries.length - 1] = { ...last, event: line.event, count: last.count + 1 }
    } else {
      entries.push({ ...line, count: 1 })
    }
  }
  return entries
}

function repeats(one: LiveEvent, other: LiveEvent): boolean {
  return isConnectionEvent(one) && isConnectionEvent(other) && one.message === other.message
}

/**
 * True for an event that only says that a connection stands: of a bot, or of this page, which says so at each start.
 */
function isConnectionEvent({ type, details }: LiveEvent): boolean {
  return type === 'connected' || (type === 'client_pool' && details?.phase === 'keepalive')
}

/** The label of the bot that an event is of; undefined where there is none, or the message names it. */
export function botOf({ message, details }: LiveEvent): string | undefined {
  return details?.label === undefined || message.includes(details.label) ? undefined : details.label
}

/** The message of an event with its numbers as people read them; one that names its bot stays as it is, as labels do. */
export function messageOf({ message, details }: LiveEvent): string {
  const namesBot = details?.label !== undefined && message.includes(details.label)
  return namesBot ? message : numbersInText(message)
}

/** The rows as text, one a line, with times by the clock of a zone. */
export function logText(entries: readonly LogEntry[], zone: string): string {
  return entries
    .map(({ event, count }) => {
      const times = count === 1 ? '' : ` ×${count}`
      const bot = botOf(event)
      const subject = bot === undefined ? '' : `${bot}: `
      return `${timeText(event.timestamp, zone)} ${event.type} ${subject}${messageOf(event)}${times}`
    })
    .join('\n')
}
