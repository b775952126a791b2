import type { Performance } from '@tripline/proto/http/webhook'
import { waitUntil } from '@tripline/testkit/wait-until'
import { overRounds, type Summary, summarize } from '../statistics.ts'
import type { Load } from './loads.ts'
import { type Entry, readJournal, takeJournal } from './paper.ts'
import { orderKeyLength, type Row, type Shot } from './rows.ts'
import { microsecondsBetween } from './wall-clock.ts'

/** The results of one row under one load. */
export interface Measured {
  row: string
  load: string
  /** From sending the alert to the arrival of its order, in µs. */
  arrival: Summary
  /** The product's own durations of each alert. */
  performances: Performance[]
}

/** Measures every row under every load, again and again in turns: what disturbs the machine meets all rows alike. */
export async function measure(
  paperUrl: string,
  rows: readonly Row[],
  loads: readonly Load[],
  rounds: number,
): Promise<Measured[]> {
  const pairs = loads.flatMap((load) =>
    rows.map((row) => ({ row, load, shots: [] as Shot[][], arrivals: [] as Summary[] })),
  )
  for (let round = 0; round < rounds; round++) {
    for (const pair of pairs) {
      const shots = await pair.load.run(pair.row.send)
      pair.shots.push(shots)
      pair.arrivals.push(summarize(await arrivalTimes(paperUrl, shots)))
    }
  }
  return pairs.map(({ row, load, shots, arrivals }) => ({
    row: row.name,
    load: load.name,
    arrival: overRounds(arrivals),
    performances: shots.flat().flatMap(({ performance }) => performance ?? []),
  }))
}

async function arrivalTimes(paperUrl: string, shots: readonly Shot[]): Promise<number[]> {
  const arrivals = await arrivalsOf(paperUrl, shots)
  return shots.map(({ sentNs }, index) => microsecondsBetween(sentNs, arrivals[index] ?? 0n))
}

/** Thrown where an alert was executed twice, which no load excuses. */
export class TwoOrdersError extends Error {
  constructor(clientOrderId: string) {
    super(`Two orders of one alert: ${clientOrderId}`)
    this.name = 'TwoOrdersError'
  }
}

/** When each alert's order arrived; throws unless every alert has exactly one order. */
export async function arrivalsOf(paperUrl: string, shots: readonly Shot[]): Promise<bigint[]> {
  // An alert that takes long is answered before its order is sent.
  const complete = async (): Promise<Map<string, bigint> | undefined> => {
    const received = arrivalsIn(await readJournal(paperUrl))
    return shots.every(({ orderKey }) => received.has(orderKey)) ? received : undefined
  }
  const received = await waitUntil(complete, { deadlineMs: 60_000, intervalMs: 100, awaited: 'all orders' })
  await takeJournal(paperUrl)
  return shots.map(({ orderKey }) => received.get(orderKey) ?? 0n)
}

function arrivalsIn(entries: readonly Entry[]): Map<string, bigint> {
  const received = new Map<string, bigint>()
  for (const { clientOrderId, receivedNs, outcome } of entries) {
    const key = clientOrderId?.slice(0, orderKeyLength) ?? ''
    if (outcome !== 'accepted') throw new Error(`The exchange has ${outcome} order ${clientOrderId}`)
    if (received.has(key)) throw new TwoOrdersError(clientOrderId ?? key)
    received.set(key, receivedNs)
  }
  return received
}
