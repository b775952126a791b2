import type { Bus } from '@tripline/kit/bus/bus'
import { readEnd } from '@tripline/kit/bus/stored-messages'
import type { StreamMessage } from '@tripline/kit/bus/stream-reader'
import { mostReplayed } from './ring.ts'

export interface MissedOptions {
  filter: string
  /** The sequence behind which reading begins. */
  behind: number
  /** The last sequence that is wanted. */
  upTo: number
}

/** The messages between two places of the event stream; of many the newest that are replayed. */
export async function readMissed(
  bus: Bus,
  { filter, behind, upTo }: MissedOptions,
): Promise<StreamMessage[]> {
  const part = { stream: 'EVENTS', filter, first: behind + 1, last: upTo }
  return await readEnd(bus, part, mostReplayed)
}
