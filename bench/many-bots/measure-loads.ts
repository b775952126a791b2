import { setTimeout as sleep } from 'node:timers/promises'
import type { Bus } from '@tripline/kit/bus/bus'
import { lastSequence } from '@tripline/kit/bus/stream-end'
import { waitUntil } from '@tripline/testkit/wait-until'
import type { Load } from '../alert-to-order/loads.ts'
import { arrivalsOf, TwoOrdersError } from '../alert-to-order/measure.ts'
import { takeJournal } from '../alert-to-order/paper.ts'
import type { Passage } from '../alert-to-order/passage.ts'
import type { Row, Shot } from '../alert-to-order/rows.ts'
import { microsecondsBetween } from '../alert-to-order/wall-clock.ts'
import { overRounds, type Summary, summarize } from '../statistics.ts'
import { passagesOf } from './passages.ts'

/** The results of one row under one load, in µs. */
export interface MeasuredLoad {
  row: Row['name']
  load: string
  /** From sending the alert to the arrival of its order. */
  arrival: Summary
  /** From receiving the alert to handing its order to a connection. */
  wire: Summary
  /** Of each burst: from the first receipt until the last order was on the wire, and from the first sending until it had arrived. */
  bursts: { wire: number; arrival: number }[]
  /** Why rounds were given up and tried again. */
  givenUp: string[]
}

/** The address of alerts, and the bus of their results. */
interface Ways {
  paperUrl: string
  bus: Bus
  rows: readonly Row[]
}

interface Measurement extends Ways {
  loads: readonly Load[]
  rounds: number
}

// A machine that takes no load this often is too busy to measure it.
const mostGivenUp = 10
const restMs = 2000

/** One alert's way, with the wall clocks of the processes that it passed. */
interface Way extends Passage {
  sentNs: bigint
  arrivedNs: bigint
}

/** Measures every row under every load, again and again in turns: what disturbs the machine meets all rows alike. */
export async function measureLoads(measurement: Measurement): Promise<MeasuredLoad[]> {
  const { rows, loads, rounds } = measurement
  const pairs = loads.flatMap((load) => rows.map((row): Pair => ({ row, load, rounds: [], givenUp: [] })))
  for (let round = 0; round < rounds; round++) {
    for (const pair of pairs) await measureRound(measurement, pair)
  }
  return pairs.map(({ row, load, rounds: ways, givenUp }) => ({
    row: row.name,
    load: load.name,
    givenUp,
    arrival: overRounds(ways.map((round) => summarize(round.map(arrivalUs)))),
    wire: overRounds(ways.map((round) => summarize(round.map(wireUs)))),
    bursts: ways.flatMap((round) => burstsOf(round, load.atOnce)),
  }))
}

/** A row under a load, and its rounds so far. */
interface Pair {
  row: Row
  load: Load
  rounds: Way[][]
  givenUp: string[]
}

/** Runs loads whose alerts count for nothing, taken or not. */
export async function warmUpBy(ways: Ways, loads: readonly Load[]): Promise<void> {
  for (const load of loads) {
    for (const { send } of ways.rows) await calmly(ways, () => load.run(send))
  }
  await takeJournal(ways.paperUrl)
}

async function measureRound(measurement: Measurement, pair: Pair): Promise<void> {
  for (;;) {
    const outcome = await calmly(measurement, () => waysOf(measurement, pair))
    if ('value' in outcome) return void pair.rounds.push(outcome.value)
    pair.givenUp.push(outcome.why)
    if (pair.givenUp.length >= mostGivenUp)
      throw new Error(`${pair.row.name} does not take ${pair.load.name}: ${pair.givenUp.join('; ')}`)
  }
}

/** Returns the result of the work, or why it could not be done on a machine this busy, once all is quiet again. */
async function calmly<Value>(
  { paperUrl, bus }: Ways,
  work: () => Promise<Value>,
): Promise<{ value: Value } | { why: string }> {
  try {
    return { value: await work() }
  } catch (error) {
    if (!(error instanceof Error) || error.cause instanceof TwoOrdersError) throw error
    const why = error.cause instanceof Error ? error.cause.message : error.message
    const isEmpty = async () => (await bus.manager.streams.info('ALERTS')).state.messages === 0
    await waitUntil(isEmpty, { deadlineMs: 120_000, intervalMs: 200, awaited: 'the alerts to be done' })
    // One that could not be confirmed may still become stored.
    await sleep(restMs)
    await takeJournal(paperUrl)
    return { why }
  }
}

async function waysOf(
  { paperUrl, bus }: Measurement,
  { row, load }: { row: Row; load: Load },
): Promise<Way[]> {
  const sequence = (await lastSequence(bus, 'EVENTS')) + 1
  const shots = await load.run(row.send)
  const arrivals = await arrivalsOf(paperUrl, shots)
  const own = shots.flatMap(({ passage }) => passage ?? [])
  const passages = own.length === shots.length ? own : await passagesOf(bus, shots, sequence)
  return shots.map((shot, index) => wayOf(shot, arrivals[index], passages[index]))
}

function wayOf({ sentNs, orderKey }: Shot, arrivedNs: bigint | undefined, passage: Passage | undefined): Way {
  if (arrivedNs === undefined || passage === undefined) throw new Error(`Nothing is known of ${orderKey}`)
  return { sentNs, arrivedNs, ...passage }
}

function arrivalUs({ sentNs, arrivedNs }: Way): number {
  return microsecondsBetween(sentNs, arrivedNs)
}

function wireUs({ receivedAt, sentAt }: Way): number {
  return (sentAt - receivedAt) * 1000
}

function burstsOf(ways: readonly Way[], size: number): MeasuredLoad['bursts'] {
  if (size === 1) return []
  return Array.from({ length: ways.length / size }, (_, index) => {
    const burst = ways.slice(index * size, (index + 1) * size)
    const [first] = burst
    if (first === undefined) throw new Error('A burst has no alerts')
    return {
      wire:
        (Math.max(...burst.map(({ sentAt }) => sentAt)) - Math.min(...burst.map((way) => way.receivedAt))) *
        1000,
      arrival: Math.max(...burst.map(({ arrivedNs }) => microsecondsBetween(first.sentNs, arrivedNs))),
    }
  })
}
