import { hash } from 'node:crypto'
import type { ExecutionEvent } from '@tripline/proto/event'
import { eventSubject } from '@tripline/proto/subject'

// Far below what the bus takes; events of one alert are fewer and shorter, but for long ones.
const mostTogether = 64
const mostBytesTogether = 65_536

/** An event that is to be stored, and from where its readers go on where it is traced. */
export interface EmittedEvent {
  event: ExecutionEvent
  traceparent: string | undefined
}

/** A message of one event or of several. */
export interface EventMessage {
  subject: string
  /** The id of its only event, or one that follows from the ids of all, so that each attempt has the same. */
  messageId: string
  texts: readonly string[]
  traceparent: string | undefined
}

interface Group {
  ids: string[]
  texts: string[]
  bytes: number
  traceparent: string | undefined
}

/**
 * The messages of these events, those of each subject in their order, several in one where they may be together.
 * One that is traced has a message of its own, which goes on where it does.
 */
export function messagesOf(events: readonly EmittedEvent[], mayBeTogether: boolean): EventMessage[] {
  const groups = new Map<string, Group[]>()
  for (const { event, traceparent } of events) {
    const subject = eventSubject(event.userId, event.botId)
    const ofSubject = groups.get(subject) ?? []
    groups.set(subject, ofSubject)
    const text = JSON.stringify(event)
    const bytes = Buffer.byteLength(text)
    const last = ofSubject.at(-1)
    const isTraced = traceparent !== undefined
    if (last !== undefined && mayBeTogether && !isTraced && hasRoom(last, bytes)) {
      last.ids.push(event.eventId)
      last.texts.push(text)
      last.bytes += bytes
    } else ofSubject.push({ ids: [event.eventId], texts: [text], bytes, traceparent })
  }
  return [...groups].flatMap(([subject, ofSubject]) =>
    ofSubject.map(({ ids, texts, traceparent }) => ({
      subject,
      messageId: messageIdOf(ids),
      texts,
      traceparent,
    })),
  )
}

function hasRoom({ ids, bytes, traceparent }: Group, more: number): boolean {
  return traceparent === undefined && ids.length < mostTogether && bytes + more <= mostBytesTogether
}

function messageIdOf(ids: readonly string[]): string {
  const [first = '', ...others] = ids
  if (others.length === 0) return first
  // Another attempt with more or fewer events than these must not pass for this one.
  return `${first}+${hash('sha256', others.join(' '), 'base64url')}`
}
