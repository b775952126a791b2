import { setTimeout as sleep } from 'node:timers/promises'
import { type Bus, lastSequence } from '@tripline/kit/bus'
import { now } from '@tripline/kit/clock'
import { readStored } from '@tripline/kit/stream-reader'
import { StoredEvent } from '@tripline/proto/event'
import type { Product } from '@tripline/scripts/product'
import { waitUntil } from '@tripline/scripts/wait-until'

const deadlineMs = 600_000
// What opening left behind has been collected and hung up by then.
const settleMs = 3000

/** How long a started executor took until it was ready, and until the last bot's client was warm, in ms. */
export interface Start {
  readyMs: number
  allWarmMs: number
}

/** What the work answers, once so many bots that it links are warm. */
export async function openAll<Linked>(bus: Bus, count: number, link: () => Promise<Linked>): Promise<Linked> {
  const sequence = (await lastSequence(bus, 'EVENTS')) + 1
  const linked = await link()
  await allWarm(bus, sequence, count)
  await sleep(settleMs)
  return linked
}

/** Stops the executor in order and starts it anew. */
export async function startAgain(product: Product, bus: Bus, count: number): Promise<Start> {
  await product.stopService('executor')
  const sequence = (await lastSequence(bus, 'EVENTS')) + 1
  const startedAt = now()
  const [readyAt, warmAt] = await Promise.all([
    product.restart('executor').then(now),
    allWarm(bus, sequence, count),
  ])
  return { readyMs: readyAt - startedAt, allWarmMs: warmAt - startedAt }
}

/** When the last of so many bots was told to be warm, of what is told from the sequence on. */
async function allWarm(bus: Bus, sequence: number, count: number): Promise<number> {
  const warm = async (): Promise<number | undefined> => {
    const moments = await warmMoments(bus, sequence)
    return moments.size >= count ? Math.max(...moments.values()) : undefined
  }
  return await waitUntil(warm, { deadlineMs, intervalMs: 500, what: `${count} warm bots` })
}

async function warmMoments(bus: Bus, sequence: number): Promise<Map<string, number>> {
  const start = { from: 'sequence', sequence } as const
  const messages = await readStored(bus, { stream: 'EVENTS', filter: 'event.*.*', start })
  const events = messages.map(({ text }) => StoredEvent.parse(JSON.parse(text)))
  const warm = events.flatMap((event) =>
    event.kind === 'client.changed' && event.state === 'warm' ? [[event.botId, event.at] as const] : [],
  )
  return new Map(warm)
}
