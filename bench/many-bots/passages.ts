import type { Bus } from '@tripline/kit/bus/bus'
import { storedEvents } from '@tripline/testkit/stored-events'
import { waitUntil } from '@tripline/testkit/wait-until'
import type { Passage } from '../alert-to-order/passage.ts'
import type { Shot } from '../alert-to-order/rows.ts'

const deadlineMs = 60_000

/** Returns when each alert had been received and its order went out, by the product's events from the sequence on. */
export async function passagesOf(bus: Bus, shots: readonly Shot[], sequence: number): Promise<Passage[]> {
  const complete = async (): Promise<Passage[] | undefined> => {
    const known = await passagesSince(bus, sequence)
    const passages = shots.flatMap(({ orderKey }) => known.get(orderKey) ?? [])
    return passages.length === shots.length ? passages : undefined
  }
  return await waitUntil(complete, { deadlineMs, intervalMs: 100, awaited: 'the events of all alerts' })
}

async function passagesSince(bus: Bus, sequence: number): Promise<Map<string, Passage>> {
  const passages = new Map<string, Passage>()
  for (const event of await storedEvents(bus, { from: sequence })) {
    if (event.kind !== 'command.finished') continue
    const { receivedAt, sentAt } = event.flight ?? {}
    if (receivedAt !== undefined && sentAt !== undefined) {
      passages.set(`t${event.alertId}`, { receivedAt, sentAt })
    }
  }
  return passages
}
