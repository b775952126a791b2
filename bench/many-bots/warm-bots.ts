import { setTimeout as sleep } from 'node:timers/promises'
import { now } from '@tripline/kit/time/clock'
import type { Product } from '@tripline/testkit/stack/product'
import { waitUntil } from '@tripline/testkit/wait-until'

const deadlineMs = 600_000
// Remains of the opening have been collected and hung up by then.
const settleMs = 3000

/** The time until a started executor was ready, and until the last bot's client was warm, in ms. */
export interface Start {
  readyMs: number
  allWarmMs: number
}

/** Returns the result of the work, once so many bots that it links are warm. */
export async function openAll<Linked>(
  product: Product,
  count: number,
  link: () => Promise<Linked>,
): Promise<Linked> {
  const linked = await link()
  await allWarm(product, count)
  await sleep(settleMs)
  return linked
}

/** Stops the executor in order and starts it anew. */
export async function startAgain(product: Product, count: number): Promise<Start> {
  await product.stopService('executor')
  const startedAt = now()
  const [readyAt, warmAt] = await Promise.all([
    product.restart('executor').then(now),
    allWarm(product, count).then(now),
  ])
  return { readyMs: readyAt - startedAt, allWarmMs: warmAt - startedAt }
}

/**
 * Settles when so many bots have a warm client, by the executor's metrics: the event of a client that became warm is
 * dropped if the bus is too busy for it.
 */
async function allWarm({ urls }: Product, count: number): Promise<void> {
  const areWarm = async () => {
    const text = await (await fetch(`${urls.services.executor}/metrics`)).text()
    return Number(/^tripline_bots\{.*state="open".*\} (\d+)$/m.exec(text)?.[1]) >= count
  }
  await waitUntil(areWarm, { deadlineMs, intervalMs: 200, awaited: `${count} warm bots` })
}
