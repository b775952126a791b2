import type { Bus } from '@tripline/kit/bus'
import { lastMessage } from '@tripline/kit/last-message'
import { countFrom, readStored, type StreamMessage } from '@tripline/kit/stream-reader'
import { mostReplayed } from './ring.ts'

const stream = 'EVENTS'
const firstWindow = 1000
const growth = 8

export interface MissedOptions {
  filter: string
  /** The sequence behind which reading begins. */
  behind: number
  /** The last sequence that is wanted. */
  upTo: number
}

/** The messages between two places of the event stream; of many about the newest that are replayed. */
export async function readMissed(
  bus: Bus,
  { filter, behind, upTo }: MissedOptions,
): Promise<StreamMessage[]> {
  const sequence = await startOf(bus, { filter, behind, upTo })
  if (sequence === undefined) return []
  const messages = await readStored(bus, { stream, filter, start: { from: 'sequence', sequence } })
  return messages.filter((message) => message.sequence <= upTo).slice(-mostReplayed)
}

/** Looks back in growing steps, so that of a long past only the end is read; undefined where there is nothing. */
async function startOf(bus: Bus, { filter, behind, upTo }: MissedOptions): Promise<number | undefined> {
  const first = behind + 1
  // Counted is in any copy of the stream, and one that lags would deny the newest.
  const newest = await lastMessage(bus.manager.streams, stream, filter)
  if (newest === undefined || newest.seq < first) return undefined
  const count = await countFrom(bus, { stream, filter, sequence: first })
  if (count <= mostReplayed) return first
  // What came since belongs to the ones that are told live, and is not counted as replayed.
  const newer = await countFrom(bus, { stream, filter, sequence: upTo + 1 })
  for (let window = firstWindow; upTo - window > first; window *= growth) {
    const sequence = upTo - window
    if ((await countFrom(bus, { stream, filter, sequence })) - newer >= mostReplayed) return sequence
  }
  return first
}
