import type { Closers } from '@tripline/testkit/closers'
import { phase } from '@tripline/testkit/progress'
import { bursts, type Load, steady } from '../alert-to-order/loads.ts'
import { arrivalsOf } from '../alert-to-order/measure.ts'
import { microsecondsBetween } from '../alert-to-order/wall-clock.ts'
import { median, type Summary, summarize } from '../statistics.ts'
import { textTable } from '../table.ts'
import { openRows, type Row } from './rows.ts'

interface Plan {
  rounds: number
  loads: readonly Load[]
  warmUp: readonly Load[]
  traders: number
}

const plans = {
  full: {
    rounds: 11,
    loads: [steady(20, 40), steady(200, 240)],
    warmUp: [bursts(40, 15), steady(200, 100)],
    traders: 240,
  },
  quick: { rounds: 3, loads: [steady(100, 100)], warmUp: [bursts(20, 8)], traders: 60 },
} as const satisfies Record<string, Plan>

/** The results of one row in one round. */
interface Taken {
  arrival: Summary
  /** Processor time of intake and executor for each alert, in ms. */
  usedMs: number
}

/** Measures what tracing costs an alert, by the share that is traced; returns the tables. */
export async function tracing(pace: keyof typeof plans, closers: Closers): Promise<string> {
  const plan: Plan = plans[pace]
  const rows = await phase('started a product for each share', () => openRows(plan.traders, closers))
  await phase('warmed up', async () => {
    for (const load of plan.warmUp) for (const row of rows) await take(row, load)
  })
  const tables = await phase('measured', async () => {
    const measured: string[] = []
    for (const load of plan.loads) measured.push(tableOf(load, rows, await rounds(plan.rounds, rows, load)))
    return measured
  })
  return [
    '\nFrom sending the alert to the arrival of its order at the paper exchange, in µs, and the processor time of intake',
    `and executor for each alert, in ms. The rows take turns in ${plan.rounds} rounds; shown are medians. A ratio is that to`,
    'the first row in the same round: the median of all, then the lowest and the highest quarter.',
    '',
    ...tables.map((table) => `${table}\n`),
  ].join('\n')
}

/** The rows take turns, each round beginning with another one. */
async function rounds(count: number, rows: readonly Row[], load: Load): Promise<Taken[][]> {
  const taken: Taken[][] = rows.map(() => [])
  for (let round = 0; round < count; round++) {
    for (let step = 0; step < rows.length; step++) {
      const index = (round + step) % rows.length
      const row = rows[index]
      if (row !== undefined) taken[index]?.push(await take(row, load))
    }
  }
  return taken
}

async function take({ send, paperUrl, usedMs }: Row, load: Load): Promise<Taken> {
  const before = await usedMs()
  const shots = await load.run(send)
  const used = (await usedMs()) - before
  const arrivals = await arrivalsOf(paperUrl, shots)
  const times = shots.map(({ sentNs }, index) => microsecondsBetween(sentNs, arrivals[index] ?? 0n))
  return { arrival: summarize(times), usedMs: used / shots.length }
}

function tableOf(load: Load, rows: readonly Row[], taken: readonly Taken[][]): string {
  const header = [load.name, 'p50 ratio', 'quarters', 'p50', 'p99', 'cpu ratio', 'quarters', 'cpu', 'alerts']
  return textTable(
    header,
    rows.map(({ name }, index) => {
      const own = taken[index] ?? []
      const ratios = (of: (one: Taken) => number): string[] => {
        const all = own.map((one, round) => of(one) / of(taken[0]?.[round] ?? one))
        return [median(all).toFixed(3), quarters(all)]
      }
      return [
        name,
        ...ratios(({ arrival }) => arrival.p50),
        median(own.map(({ arrival }) => arrival.p50)).toFixed(0),
        median(own.map(({ arrival }) => arrival.p99)).toFixed(0),
        ...ratios(({ usedMs }) => usedMs),
        median(own.map(({ usedMs }) => usedMs)).toFixed(2),
        String(own.reduce((sum, { arrival: { count } }) => sum + count, 0)),
      ]
    }),
  )
}

function quarters(values: readonly number[]): string {
  const sorted = values.toSorted((one, other) => one - other)
  const at = (share: number): string =>
    (sorted[Math.round(share * (sorted.length - 1))] ?? Number.NaN).toFixed(2)
  return `${at(0.25)}-${at(0.75)}`
}
