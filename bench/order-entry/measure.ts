import { setTimeout as sleep } from 'node:timers/promises'
import { readJournal, takeJournal } from '../alert-to-order/paper.ts'
import { microsecondsBetween, nowNs } from '../alert-to-order/wall-clock.ts'
import { type Summary, summarize } from '../statistics.ts'
import { nextOrder, type OrderEntries, type Trading } from './accounts.ts'

/** The way orders go out, and the number of connections that are warm for them. */
export interface Way {
  name: string
  by: keyof OrderEntries
  warm: number
}

/** So many orders at once, by as many accounts, so many times on each way. */
export interface Bursts {
  size: number
  times: number
}

/** The results of one way with bursts of one size. */
export interface Measured {
  market: string
  size: number
  way: string
  /** From asking for an order to its arrival at the exchange, and to the exchange's answer on its outcome; in µs. */
  arrived: Summary
  settled: Summary
}

interface Shot {
  clientOrderId: string
  sentNs: bigint
  settledNs: bigint
}

/** Measures bursts of one size on all ways in turns, each time in the other order. */
export async function measureBursts(
  paperUrl: string,
  trading: Trading,
  ways: readonly Way[],
  { size, times }: Bursts,
): Promise<Measured[]> {
  const shots = new Map<Way, Shot[]>(ways.map((way) => [way, []]))
  await takeJournal(paperUrl)
  for (let index = 0; index < times; index++) {
    for (const way of index % 2 === 0 ? ways : ways.toReversed()) {
      // A burst leaves a connection for each of its orders, which a quiet minute would have closed again.
      if (index === 0 || size > 1) await trading.warm(way.warm)
      shots.get(way)?.push(...(await shoot(trading, way, size)))
      await sleep(size * trading.restMs)
    }
  }
  const entries = await readJournal(paperUrl)
  const arrivals = new Map(entries.map(({ clientOrderId, receivedNs }) => [clientOrderId, receivedNs]))
  return ways.map((way) => {
    const own = shots.get(way) ?? []
    return {
      market: trading.market,
      size,
      way: way.name,
      arrived: summarize(own.map((shot) => arrivedAfter(shot, arrivals.get(shot.clientOrderId)))),
      settled: summarize(own.map(({ sentNs, settledNs }) => microsecondsBetween(sentNs, settledNs))),
    }
  })
}

function arrivedAfter({ clientOrderId, sentNs }: Shot, receivedNs: bigint | undefined): number {
  if (receivedNs === undefined) throw new Error(`The order ${clientOrderId} did not arrive`)
  return microsecondsBetween(sentNs, receivedNs)
}

// Accounts take turns, so that none meets its limit; each one's orders change sides.
let next = 0

async function shoot({ accounts, quantity }: Trading, { by }: Way, size: number): Promise<Shot[]> {
  const chosen = Array.from({ length: size }, () => {
    const index = next++
    const side = Math.floor(index / accounts.length) % 2 === 0 ? 'buy' : 'sell'
    return { places: accounts[index % accounts.length], order: nextOrder(quantity, side) }
  })
  return await Promise.all(
    chosen.map(async ({ places, order }) => {
      const sentNs = nowNs()
      const placement = await places?.[by](order, () => undefined)
      const settledNs = nowNs()
      if (placement?.outcome !== 'done') throw new Error(`${by}: ${JSON.stringify(placement)}`)
      return { clientOrderId: order.clientOrderId, sentNs, settledNs }
    }),
  )
}
