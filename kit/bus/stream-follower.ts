import type { BucketName, StreamName } from '@tripline/proto/subject'
import { storedPrefix } from '@tripline/proto/subject'
import type { Msg } from 'nats'
import { type Bus, traceparentOf } from './bus.ts'
import { guard } from './guard.ts'
import { areApart, isReuse, type SeenMessage } from './known-ends.ts'
import { readPart } from './stored-messages.ts'
import { confirmedEnd, isReplaced, type StreamEnd, streamEnd } from './stream-end.ts'
import { isDeletion, type StreamMessage, type StreamReader } from './stream-reader.ts'

/** The time between two looks for a last message that was missed. */
const lookMs = 2000
const retryMs = 250

export interface FollowOptions {
  /** A stream, or the bucket of a stream. */
  name: StreamName | BucketName
  stream: string
  /** Everything that the stream holds. */
  filter: string
  /** The first sequence that is wanted; a stream that lost its end is read again from there. */
  from: number
  onMessage: (message: StreamMessage) => void
}

/**
 * Reads all of a stream in order without end, for users who may make no consumer: what lies there is asked for, what
 * comes is received as the server publishes it again, and what was missed shows by its sequence. Resolves once it has
 * read what lay there.
 */
export async function followStream(bus: Bus, options: FollowOptions): Promise<StreamReader> {
  const { name, stream, filter, from } = options
  let last = from - 1
  /** The newest message that was delivered, by which a stream is known to have lost its end. */
  let seen: SeenMessage | undefined
  let hasLostEnd = false
  let createdAt: string | undefined
  let waiting: StreamMessage[] = []
  let reading: Promise<void> | undefined
  let newestBefore = 0
  let stopped = false

  const deliver = (message: StreamMessage): void => {
    const { subject, sequence, storedAt } = message
    last = sequence
    seen = { sequence, storedAt }
    bus.ends.note(stream, sequence, storedAt)
    guard(bus, { subscription: stream, subject, sequence }, () => options.onMessage(message))
  }
  const readMissed = async (): Promise<void> => {
    const end = await confirmedEnd(bus, stream, last)
    const newest = end.sequence
    const isAnother = createdAt !== undefined && createdAt !== end.createdAt
    const isShorter = newest < last || isAnother || hasLostEnd
    if (isShorter || (seen !== undefined && (await isReplaced(bus, stream, seen)))) {
      bus.log.warn({ stream, last, newest }, 'the stream has lost its end')
      last = isAnother ? 0 : Math.min(from - 1, newest)
      seen = undefined
      hasLostEnd = false
    }
    createdAt = end.createdAt
    const part = { stream, filter, first: last + 1, last: newest }
    for (const message of newest > last ? await readPart(bus, part) : []) if (!stopped) deliver(message)
    last = Math.max(last, newest)
  }
  /** True where the stream is not as it was when it was read. */
  const isLostBy = ({ sequence, storedAt = 0, createdAt: present }: StreamEnd): boolean =>
    sequence < last ||
    present !== createdAt ||
    (sequence === seen?.sequence && areApart(storedAt, seen.storedAt))
  const readAgain = (): void => {
    // A closed connection brings nothing of what is missing: to begin again would never end.
    if (stopped || reading !== undefined || bus.connection.isClosed()) return
    reading = untilDone(bus, stream, readMissed, () => stopped).finally(() => {
      reading = undefined
      deliverWaiting()
    })
  }
  const deliverWaiting = (): void => {
    if (stopped || reading !== undefined) return
    const messages = waiting
    waiting = []
    for (const [index, message] of messages.entries()) {
      if (isReuse(message, seen)) {
        hasLostEnd = true
        waiting = []
        readAgain()
        return
      }
      if (message.sequence <= last) continue
      if (message.sequence > last + 1) {
        waiting = messages.slice(index)
        readAgain()
        return
      }
      deliver(message)
    }
  }
  const subscription = bus.connection.subscribe(`${storedPrefix(name)}.>`, {
    callback: (error, message) => {
      if (error) {
        readAgain()
        return
      }
      guard(bus, { subscription: stream }, () => {
        waiting.push(readRepublished(bus, message))
        deliverWaiting()
      })
    },
  })
  // Nothing is delivered before what lay there.
  reading = bus.connection
    .flush()
    .then(readMissed)
    // The second reading gets what was written over during the first.
    .then(readMissed)
  try {
    await reading
  } catch (error) {
    subscription.unsubscribe()
    throw error
  }
  reading = undefined
  deliverWaiting()
  const look = setInterval(() => {
    if (reading !== undefined || !bus.isConnected()) return
    streamEnd(bus, stream).then(
      (end) => {
        // The newest one of the last look has had its time to come.
        if (newestBefore > last || isLostBy(end)) readAgain()
        newestBefore = end.sequence
      },
      (error: unknown) => bus.log.debug({ err: error, stream }, 'the stream does not answer'),
    )
  }, lookMs).unref()
  const forget = bus.onConnection((connected) => connected && readAgain())
  return {
    stop: () => {
      stopped = true
      clearInterval(look)
      forget()
      subscription.unsubscribe()
    },
  }
}

/** Tries until it is done, however long the bus is away. */
async function untilDone(
  bus: Bus,
  stream: string,
  act: () => Promise<void>,
  isStopped: () => boolean,
): Promise<void> {
  while (!isStopped() && !bus.connection.isClosed()) {
    try {
      if (bus.isConnected()) return await act()
    } catch (error) {
      bus.log.warn({ err: error, stream }, 'could not read the stream')
    }
    await new Promise((resolve) => setTimeout(resolve, retryMs))
  }
}

/** A message as the server publishes it again, once it is stored. */
function readRepublished(bus: Bus, message: Msg): StreamMessage {
  return {
    subject: message.headers?.get('Nats-Subject') ?? '',
    sequence: Number(message.headers?.get('Nats-Sequence')),
    storedAt: Date.parse(message.headers?.get('Nats-Time-Stamp') ?? ''),
    text: message.string(),
    isDeletion: isDeletion(message),
    traceparent: traceparentOf(bus, message),
  }
}
