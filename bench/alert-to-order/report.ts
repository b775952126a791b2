import type { Performance } from '@tripline/proto/http/webhook'
import { median } from '../statistics.ts'
import { textTable } from '../table.ts'
import type { ClockOffset } from './clock-check.ts'
import type { Measured } from './measure.ts'

const beforeTheWire = ['read_ms', 'queue_ms', 'check_ms', 'plan_ms'] as const
const afterTheWire = ['venue_ms', 'settle_ms', 'total_ms'] as const

/** Returns the results as text: the comparison of the rows, and the product's own stages. */
export function report(measured: readonly Measured[], rounds: number, clocks: ClockOffset): string {
  const loads = [...new Set(measured.map(({ load }) => load))]
  return [
    `From sending the alert to the arrival of its order at the paper exchange, in µs; medians of ${rounds} rounds.`,
    `The ratio is of medians, to the lean handler's. ${describeClocks(clocks)}`,
    '',
    ...loads.map((load) => `${compare(measured.filter((one) => one.load === load))}\n`),
    'The stages of an alert on its way through intake, as its answer reports them, in µs (medians):',
    '',
    stages(measured.filter(({ row }) => row === 'intake')),
  ].join('\n')
}

function compare(rows: readonly Measured[]): string {
  const lean = rows[0]?.arrival.p50 ?? Number.NaN
  const header = [rows[0]?.load ?? '', 'ratio', 'p50', 'p90', 'p99', 'alerts']
  return textTable(
    header,
    rows.map(({ row, arrival: { p50, p90, p99, count } }) => [
      row,
      (p50 / lean).toFixed(2),
      ...[p50, p90, p99].map(whole),
      String(count),
    ]),
  )
}

function stages(rows: readonly Measured[]): string {
  const names = [...beforeTheWire, ...afterTheWire].map((stage) => stage.replace('_ms', ''))
  return textTable(
    ['load', ...names, 'receipt to wire'],
    rows.map(({ load, performances }) => [
      load,
      ...[...beforeTheWire, ...afterTheWire].map((stage) =>
        whole(medianOf(performances, (one) => one[stage])),
      ),
      whole(medianOf(performances, untilSent)),
    ]),
  )
}

function untilSent(performance: Performance): number | undefined {
  const times = beforeTheWire.map((stage) => performance[stage])
  return times.reduce<number | undefined>(
    (sum, ms) => (sum === undefined || ms === undefined ? undefined : sum + ms),
    0,
  )
}

function medianOf(
  performances: readonly Performance[],
  stage: (performance: Performance) => number | undefined,
): number {
  return median(performances.flatMap((performance) => stage(performance) ?? [])) * 1000
}

function whole(microseconds: number): string {
  return microseconds.toFixed(0)
}

function describeClocks({ atLeast, atMost }: ClockOffset): string {
  return `The clocks of both ends differ by ${whole(atLeast)} to ${whole(atMost)} µs.`
}
