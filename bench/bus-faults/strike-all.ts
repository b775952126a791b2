import { type Bed, type BusKind, busKinds, startBed } from '@tripline/testkit/bus-faults/bed'
import { type FaultName, faults } from '@tripline/testkit/bus-faults/faults'
import {
  type Figures,
  openPeople,
  type People,
  randomOfRound,
  runRound,
  violationsOf,
} from '@tripline/testkit/bus-faults/round'
import { type Closers, closers as newClosers } from '@tripline/testkit/closers'
import { phase } from '@tripline/testkit/progress'
import { textTable } from '../table.ts'

interface Options {
  rounds: number
  from: number
  seed: number
  words: readonly string[]
}

interface Stage {
  bed: Bed
  people: People
  close: () => Promise<void>
}

/** Strikes each bus with each fault so often; returns the table of the figures, and the violations. */
export async function strikeAll(
  { rounds, from, seed, words }: Options,
  closers: Closers,
): Promise<{ report: string; violations: string[] }> {
  const named = <Name extends string>(all: readonly Name[]): readonly Name[] =>
    all.some((name) => words.includes(name)) ? all.filter((name) => words.includes(name)) : all
  const all: { kind: BusKind; figures: Figures }[] = []
  const violations: string[] = []
  for (const kind of named(busKinds)) {
    let stage: Stage | undefined
    for (let round = from; round < from + rounds; round++) {
      for (const fault of named(Object.keys(faults) as FaultName[])) {
        stage ??= await setStage(kind, closers)
        const figures = await runRound(stage.bed, stage.people, fault, randomOfRound({ seed, round, fault }))
        all.push({ kind, figures })
        console.log(
          `${kind} ${round} ${describe(figures)}; ended: ${stage.bed.deaths.splice(0).join(', ') || 'none'}`,
        )
        const found = violationsOf(figures)
        for (const one of found.slice(0, 6)) console.log(`  VIOLATION: ${one}`)
        violations.push(...found.map((one) => `${kind} ${round} ${fault}: ${one}`))
        if (found.length === 0) continue
        // The next round is to begin with a sound product.
        await stage.close()
        stage = undefined
      }
    }
    await stage?.close()
  }
  return { report: tableOf(all), violations }
}

async function setStage(kind: BusKind, closers: Closers): Promise<Stage> {
  const own = newClosers()
  await closers.add(own.close)
  return await phase(`started a product on a bus of ${kind}`, async () => {
    const bed = await startBed(kind, own)
    return { bed, people: await openPeople(bed), close: own.close }
  })
}

function describe(figures: Figures): string {
  const { fault, did, accepted, orders, failed, wholeMs, reportedMs, doubled, late, lostSilently, untrue } =
    figures
  const counts = `${doubled.length} doubled, ${late.length} late, ${lostSilently.length} lost in silence, ${untrue.length} untrue`
  const times = `whole after ${wholeMs ?? 'never'} ms, reported ${reportedMs ?? 'never'} ms later`
  return `${fault} (${did}): ${accepted} accepted, ${orders} orders, ${listOf(failed)} failed, ${counts}; ${times}`
}

function listOf(counts: ReadonlyMap<string, number>): string {
  return [...counts].map(([code, count]) => `${count} ${code}`).join(', ') || 'none'
}

function tableOf(all: readonly { kind: BusKind; figures: Figures }[]): string {
  const header = [
    'bus and fault',
    'rounds',
    'accepted',
    'orders',
    'failed',
    'doubled',
    'late',
    'lost in silence',
    'untrue',
    'whole, ms at most',
    'reported, ms at most',
  ]
  const groups = Map.groupBy(all, ({ kind, figures }) => `${kind} ${figures.fault}`)
  const rows = [...groups].map(([name, group]) => {
    const figures = group.map((one) => one.figures)
    const sum = (of: (figures: Figures) => number): string =>
      `${figures.reduce((total, one) => total + of(one), 0)}`
    const most = (of: (figures: Figures) => number | undefined): string =>
      figures.some((one) => of(one) === undefined)
        ? 'never'
        : `${Math.max(...figures.map((one) => of(one) ?? 0))}`
    return [
      name,
      `${figures.length}`,
      sum(({ accepted }) => accepted),
      sum(({ orders }) => orders),
      sum(({ failed }) => [...failed.values()].reduce((total, count) => total + count, 0)),
      sum(({ doubled }) => doubled.length),
      sum(({ late }) => late.length),
      sum(({ lostSilently }) => lostSilently.length),
      sum(({ untrue }) => untrue.length),
      most(({ wholeMs }) => wholeMs),
      most(({ reportedMs }) => reportedMs),
    ]
  })
  return textTable(header, rows)
}
