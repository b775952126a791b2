import type { Closers } from '@tripline/testkit/closers'
import { randomOf } from '@tripline/testkit/random'
import { textTable } from '../table.ts'
import type { Vitals } from '../vitals/vitals.ts'
import type { Sample, Trend } from './flatness.ts'
import { trendsOf } from './flatness.ts'
import { countByName, type Figures } from './report.ts'
import { type Death, setStage } from './stage.ts'
import type { MadeTrouble } from './troubles.ts'
import { type Outcome, runWindow } from './window.ts'

const mostShown = 20
/** An order of the paper exchange with its fill and the names it is found by. */
const orderBytes = 1024

/** The share of a run behind which no process is ended but the executor: what the others hold is judged from then on. */
const steadyFrom = 0.5

/** Runs the product through random trouble for so long; returns what it came to. */
export async function soak(
  { minutes, seed }: { minutes: number; seed: number },
  closers: Closers,
): Promise<Figures> {
  const stage = await setStage(closers)
  const [exchange, process, server] = [randomOf(seed), randomOf(seed + 1), randomOf(seed + 2)]
  const random = { troubles: { exchange, process, server }, alerts: randomOf(seed) }
  const samples = new Map<string, Sample[]>()
  const outcomes: Outcome[] = []
  const violations: string[] = []
  const startedAt = performance.now()
  const minute = (): number => (performance.now() - startedAt) / 60_000
  while (minute() < minutes) {
    const outcome = await runWindow(stage, random, minute() > minutes * steadyFrom)
    outcomes.push(outcome)
    violations.push(...outcome.violations, ...deathsToMind(stage.deaths, outcome.troubles))
    for (const [service, vitals] of outcome.vitals) {
      const judged = service === 'paper-exchange' ? apartFromOrders(vitals, ordersOf(outcomes)) : vitals
      samples.set(service, [...(samples.get(service) ?? []), { ...judged, minute: minute() }])
    }
    console.log(`${minute().toFixed(1)} min: ${describe(outcome)}, ${describeDeaths(stage.deaths)}`)
    for (const violation of outcome.violations.slice(0, mostShown)) console.log(`  VIOLATION: ${violation}`)
    stage.deaths.length = 0
  }
  const trends = [...samples].map(([service, all]) => ({ service, all, trends: trendsOf(all) }))
  violations.push(...trends.flatMap(({ service, trends: found = [] }) => leaksOf(service, found)))
  return { minutes: minute(), seed, outcomes, violations, trends: trendTable(trends) }
}

function ordersOf(outcomes: readonly Outcome[]): number {
  return outcomes.reduce((sum, { orders }) => sum + orders, 0)
}

/** Returns the exchange's use besides the orders of its accounts, which it keeps as venues do. */
function apartFromOrders(vitals: Vitals, orders: number): Vitals {
  const storedBytes = orders * orderBytes
  return { ...vitals, heapUsed: vitals.heapUsed - storedBytes, rss: vitals.rss - storedBytes }
}

/**
 * An executor that lost its leases while the bus was away ends itself, so that nothing is done twice; and a process that is
 * started again while a server is away ends, to be started once more.
 */
function deathsToMind(deaths: readonly Death[], troubles: readonly MadeTrouble[]): string[] {
  const isStarting = ({ service, at }: Death): boolean =>
    troubles.some(({ name, from, until }) => name.startsWith(`${service}:`) && from <= at && at <= until)
  return deaths
    .filter((death) => !death.service.startsWith('executor') && !isStarting(death))
    .map(({ service, how }) => `${service} ended with ${how}`)
}

function leaksOf(service: string, trends: readonly Trend[]): string[] {
  return trends.flatMap(({ thing, first, last, isGrowing }) =>
    isGrowing ? [`${service} grows: ${thing} from ${first.toFixed(0)} to ${last.toFixed(0)}`] : [],
  )
}

function describe({ alerts, orders, failures, troubles, violations }: Outcome): string {
  const list = (counts: ReadonlyMap<string, number>): string =>
    [...counts].map(([name, count]) => `${count} ${name}`).join(', ') || 'none'
  const verdict = violations.length === 0 ? 'all sound' : `${violations.length} VIOLATIONS`
  return `${alerts} alerts, ${orders} orders, ${verdict}; failed: ${list(failures)}; trouble: ${list(countByName(troubles))}`
}

function describeDeaths(deaths: readonly Death[]): string {
  const list = deaths.map(({ service, how }) => `${service} ended with ${how}`)
  return `ended by themselves: ${list.join(', ') || 'none'}`
}

function trendTable(
  services: readonly { service: string; all: readonly Sample[]; trends: Trend[] | undefined }[],
): string {
  const rows = services.map(({ service, all, trends }) => {
    const last = all.at(-1)
    if (trends !== undefined) return [service, ...trends.flatMap(describeTrend)]
    const now =
      last === undefined ? [] : [mib(last.heapUsed), mib(last.rss), `${last.handles}`, `${last.files}`]
    return [service, ...now.flatMap((text) => [text, '-'])]
  })
  const header = [
    'held at the end',
    'heap, MiB',
    'an hour',
    'resident, MiB',
    'an hour',
    'handles',
    'an hour',
    'files',
    'an hour',
  ]
  return textTable(header, rows)
}

function describeTrend({ thing, last, perHour }: Trend): [string, string] {
  if (thing === 'heapUsed' || thing === 'rss') return [mib(last), mib(perHour)]
  return [last.toFixed(0), perHour.toFixed(1)]
}

function mib(bytes: number): string {
  return (bytes / 2 ** 20).toFixed(1)
}
