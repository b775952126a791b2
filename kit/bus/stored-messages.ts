import type { StoredMsg } from 'nats'
import { type Bus, traceparentOf } from './bus.ts'
import { nextMessage } from './last-message.ts'
import { isDeletion, type StreamMessage } from './stream-reader.ts'

/** Part of a stream; the sequences of both ends belong to it. */
export interface StreamPart {
  stream: string
  filter: string
  first: number
  last: number
}

/** Requests that run beside each other: each message is one of its own. */
const together = 32
/** A part as small as this is read from its beginning to its end. */
const smallPart = 64

/**
 * Everything that lies in a part of a stream, in order. It is asked of the leader message by message, for users who may
 * make no consumer.
 */
export async function readPart(bus: Bus, part: StreamPart): Promise<StreamMessage[]> {
  const length = part.last - part.first + 1
  if (length <= smallPart) return (await readBeginning(bus, part, length)).messages
  const step = Math.ceil(length / together)
  const parts = Array.from({ length: together }, async (_, index) => {
    const first = part.first + index * step
    const last = Math.min(first + step - 1, part.last)
    return (await readBeginning(bus, { ...part, first, last }, step)).messages
  })
  return (await Promise.all(parts)).flat()
}

/** The newest so many messages of a part of a stream, in order, however many lie before them. */
export async function readEnd(bus: Bus, part: StreamPart, most: number): Promise<StreamMessage[]> {
  if (part.first > part.last || most <= 0) return []
  const { messages, isWhole } = await readBeginning(bus, part, most + 1)
  if (isWhole) return messages.slice(-most)
  const middle = Math.floor((part.first + part.last) / 2)
  const newer = await readEnd(bus, { ...part, first: middle + 1 }, most)
  const older = await readEnd(bus, { ...part, last: middle }, most - newer.length)
  return [...older, ...newer]
}

/** The first so many messages of a part, and whether these are all. */
async function readBeginning(
  bus: Bus,
  part: StreamPart,
  most: number,
): Promise<{ messages: StreamMessage[]; isWhole: boolean }> {
  const messages: StreamMessage[] = []
  for await (const message of messagesOf(bus, part)) {
    if (messages.length === most) return { messages, isWhole: false }
    messages.push(message)
  }
  return { messages, isWhole: true }
}

/** Yields the messages of a part of a stream, in order; each is asked for once the one before it was taken. */
export async function* messagesOf(
  bus: Bus,
  { stream, filter, first, last }: StreamPart,
): AsyncGenerator<StreamMessage> {
  for (let sequence = first; sequence <= last; ) {
    const message = await nextMessage(bus.manager.streams, stream, filter, sequence)
    if (message === undefined || message.seq > last) return
    yield read(bus, message)
    sequence = message.seq + 1
  }
}

function read(bus: Bus, message: StoredMsg): StreamMessage {
  return {
    subject: message.subject,
    sequence: message.seq,
    storedAt: message.time.getTime(),
    text: message.string(),
    isDeletion: isDeletion({ headers: message.header }),
    traceparent: traceparentOf(bus, { headers: message.header }),
  }
}
