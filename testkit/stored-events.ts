import type { Bus } from '@tripline/kit/bus/bus'
import { readStored } from '@tripline/kit/bus/stream-reader'
import { type StoredEvent, StoredEvents } from '@tripline/proto/event'

interface Part {
  filter?: string
  /** The sequence at which reading begins. */
  from?: number
}

/** Returns all events of the stream so far, in its order; throws if something in it is no event. */
export async function storedEvents(
  bus: Bus,
  { filter = 'event.*.*', from = 1 }: Part = {},
): Promise<StoredEvent[]> {
  const start = { from: 'sequence', sequence: from } as const
  const messages = await readStored(bus, { stream: 'EVENTS', filter, start })
  return messages.flatMap(({ text }) => StoredEvents.parse(JSON.parse(text)))
}
