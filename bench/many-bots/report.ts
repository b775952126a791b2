import { median, type Summary } from '../statistics.ts'
import { textTable } from '../table.ts'
import type { Vitals } from '../vitals/vitals.ts'
import type { MeasuredLoad } from './measure-loads.ts'
import type { Start } from './warm-bots.ts'

const mostFiles = 20

interface Results {
  users: number
  bots: number
  rounds: number
  measured: readonly MeasuredLoad[]
  starts: readonly Start[]
  /** Of the executor: without bots, with all of them warm, and after they traded. */
  vitals: { empty: Vitals; idle: Vitals; busy: Vitals }
}

/** Returns the results as text. */
export function report({ users, bots, rounds, measured, starts, vitals }: Results): string {
  return [
    `${bots} bots of ${users} users on one executor; medians of ${rounds} rounds, ratios to the lean handler's.`,
    '',
    rowsTable('receipt to wire, us', measured, ({ wire }) => wire),
    '',
    rowsTable('sending to arrival, us', measured, ({ arrival }) => arrival),
    '',
    burstTable(measured),
    ...givenUpIn(measured),
    '',
    memoryTable(vitals, bots),
    '',
    ...heldTable(vitals, bots),
    textTable(
      ['executor started with all bots, s', 'ready', 'all warm'],
      starts.map(({ readyMs, allWarmMs }, index) => [
        `start ${index + 1}`,
        seconds(readyMs),
        seconds(allWarmMs),
      ]),
    ),
    '',
  ].join('\n')
}

function rowsTable(
  title: string,
  measured: readonly MeasuredLoad[],
  summaryOf: (one: MeasuredLoad) => Summary,
): string {
  const lines = measured.map((one) => {
    const lean = measured.find(({ row, load }) => row === 'lean handler' && load === one.load) ?? one
    const [own, base] = [summaryOf(one), summaryOf(lean)]
    const ratios = [own.p50 / base.p50, own.p99 / base.p99].map((ratio) => ratio.toFixed(2))
    const figures = [own.p50, own.p90, own.p99, own.count].map((value) => value.toFixed(0))
    return [`${one.load}, ${one.row}`, ...ratios, ...figures]
  })
  return textTable([title, 'ratio p50', 'ratio p99', 'p50', 'p90', 'p99', 'alerts'], lines)
}

function burstTable(measured: readonly MeasuredLoad[]): string {
  const lines = measured.flatMap(({ row, load, bursts }) => {
    if (bursts.length === 0) return []
    const [wire, arrival] = [bursts.map((burst) => burst.wire), bursts.map((burst) => burst.arrival)]
    const figures = [median(wire), Math.max(...wire), median(arrival), Math.max(...arrival)]
    return [[`${load}, ${row}`, ...figures.map((us) => (us / 1000).toFixed(1)), `${bursts.length}`]]
  })
  return textTable(['last of a burst, ms', 'on the wire', 'worst', 'arrived', 'worst', 'bursts'], lines)
}

function memoryTable({ empty, idle, busy }: Results['vitals'], bots: number): string {
  const line = (name: string, { heapUsed, rss, files }: Vitals): string[] => [
    name,
    ...[heapUsed, rss].map((bytes) => (bytes / 2 ** 20).toFixed(1)),
    ...[heapUsed - empty.heapUsed, rss - empty.rss].map((bytes) => (bytes / bots / 1024).toFixed(1)),
    `${files}`,
  ]
  return textTable(
    [
      "the executor's memory",
      'heap, MiB',
      'resident, MiB',
      'heap a bot, KiB',
      'resident a bot, KiB',
      'files',
    ],
    [line('without bots', empty), line('all warm', idle), line('after the alerts', busy)],
  )
}

/** Returns what a warm bot holds, by the file that had it made, the largest first; nothing where that was not watched. */
function heldTable({ empty, idle }: Results['vitals'], bots: number): string[] {
  const all = Object.entries(idle.held)
    .map(([file, bytes]) => ({ file, bytes: (bytes - (empty.held[file] ?? 0)) / bots }))
    .sort((one, other) => other.bytes - one.bytes)
  if (all.length === 0) return []
  const sum = (some: typeof all): number => some.reduce((total, { bytes }) => total + bytes, 0)
  const rows = [...all.slice(0, mostFiles), { file: 'all others', bytes: sum(all.slice(mostFiles)) }]
  const lines = [...rows, { file: 'all', bytes: sum(all) }].map(({ file, bytes }) => [file, bytes.toFixed(0)])
  return [textTable(['held by a warm bot', 'bytes'], lines), '']
}

function givenUpIn(measured: readonly MeasuredLoad[]): string[] {
  const lines = measured.flatMap(({ row, load, givenUp }) =>
    givenUp.map((why) => `  ${load}, ${row}: ${why}`),
  )
  return lines.length === 0 ? [] : ['', 'Rounds that were given up and tried again:', ...lines]
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(1)
}
