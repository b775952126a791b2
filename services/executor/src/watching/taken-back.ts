import type { OwnExit, ReturnedExit, StandingAgain } from '../domain/group/own-exits.ts'
import type { RecordSubject } from '../store/record-store.ts'
import { begunAt } from './begin.ts'
import { keyOf } from './key.ts'
import type { WatchesState } from './state.ts'
import type { WatchRun } from './watch-run.ts'

/** Longest wait of a sale for its coins, or for their orders to stand again, before it looks at them. */
const patienceMs = 1500

/** Place of a bot's sale: its own orders of the symbol may be taken back for that. */
export type SaleSubject = Pick<RecordSubject, 'userId' | 'botId' | 'symbol'>

/** The bot's own orders of a symbol that sell what it holds. */
export async function ownExits(state: WatchesState, place: SaleSubject): Promise<OwnExit[]> {
  return (await runsAt(state, place)).flatMap(({ ownExit }) => ownExit() ?? [])
}

/** Takes own exits back for a sale; returns how they stand once they are away, or that took too long. */
export async function takeBack(
  state: WatchesState,
  place: SaleSubject,
  by: string,
  names: readonly string[],
): Promise<OwnExit[]> {
  return await allOf(state, place, names, async (run) => await run.takeBack(by))
}

/** Notes with these that their sale may be sent from now on; returns how they stand. */
export async function beginSale(
  state: WatchesState,
  place: SaleSubject,
  by: string,
  names: readonly string[],
): Promise<OwnExit[]> {
  return await allOf(state, place, names, async (run) => await run.beginSale(by))
}

/** Lets what a sale has not sold stand again; returns how it stands then, or after some time. */
export async function giveBack(
  state: WatchesState,
  place: SaleSubject,
  by: string,
  exits: readonly ReturnedExit[],
): Promise<StandingAgain[]> {
  const left = new Map(exits.map((exit) => [exit.name, exit.left]))
  const runs = (await runsAt(state, place)).filter(({ subject }) => left.has(keyOf(subject)))
  await patientlyAll(runs, async (run) => await run.giveBack(by, left.get(keyOf(run.subject))))
  return runs.map(({ standing }) => standing())
}

async function allOf(
  state: WatchesState,
  place: SaleSubject,
  names: readonly string[],
  act: (run: WatchRun) => Promise<void>,
): Promise<OwnExit[]> {
  const runs = await runsAt(state, place)
  await patientlyAll(
    runs.filter(({ subject }) => names.includes(keyOf(subject))),
    act,
  )
  return runs.flatMap(({ ownExit }) => ownExit() ?? [])
}

async function patientlyAll(runs: readonly WatchRun[], act: (run: WatchRun) => Promise<void>): Promise<void> {
  const patience = new Promise<void>((resolve) => setTimeout(resolve, patienceMs).unref())
  await Promise.race([Promise.all(runs.map(act)), patience])
}

async function runsAt(state: WatchesState, place: SaleSubject): Promise<WatchRun[]> {
  return await begunAt(state, place.userId, () => [place])
}
