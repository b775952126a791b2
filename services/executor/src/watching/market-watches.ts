import type { AlertId } from '@tripline/proto/id'
import { type CancelCommand, isMeant } from '../domain/execution/cancel-orders.ts'
import type { EndedWatches } from '../domain/execution/state.ts'
import { heldIn } from '../domain/group/alternating-pair.ts'
import type { OwnExit, ReturnedExit, StandingAgain } from '../domain/group/own-exits.ts'
import { ownExitOf, standingOf } from '../domain/group/watch-taken.ts'
import { restingOrder, type VenueOrder } from '../domain/order/order.ts'
import type { RecordSubject } from '../store/record-store.ts'
import { protectedPositionOf } from './bare-positions.ts'
import { begin, begunAt } from './begin.ts'
import { type BotSymbol, botSymbolKeyOf, keyOf } from './key.ts'
import type { WatchesState } from './state.ts'
import { type Exit, openIdsIn, type WatchRun } from './watch-run.ts'

/** Longest wait of a sale for its coins, or for their orders to stand again, before it looks at them. */
const patienceMs = 1500

/** A bot's symbol, and the account in whose market that is; several bots may have it. */
export interface WatchedPlace extends Pick<RecordSubject, 'userId' | 'botId' | 'symbol'> {
  accountKey: string
}

/** Subject of a cancel: open orders, and those that are not at the exchange yet. */
interface Canceled {
  clientOrderIds: readonly string[]
  command: CancelCommand
  alertId: AlertId
  /** The alert may only close: groups that may protect stay. */
  isCloseOnly: boolean
}

/** The watches by their place. */
export interface Watching {
  at: (place: WatchedPlace) => MarketWatches
}

/** The watches over groups of orders that commands left behind in one market. */
export type MarketWatches = ReturnType<typeof watchesAt>

/** Returns the watches of a market; a sale and the exits that it takes back are known by the names of their commands. */
export function watchesAt(state: WatchesState, place: WatchedPlace) {
  const ownRuns = async (): Promise<WatchRun[]> => await begunAt(state, place.userId, () => [place])
  const ownExits = async (): Promise<OwnExit[]> => ownExitsOf(await ownRuns())
  const ofNames = async (
    names: readonly string[],
    act: (run: WatchRun) => Promise<void>,
  ): Promise<OwnExit[]> => {
    const runs = await ownRuns()
    await patientlyAll(
      runs.filter(({ subject }) => names.includes(keyOf(subject))),
      act,
    )
    return ownExitsOf(runs)
  }
  return {
    /** Watches over what a command left open, once what is to come before that has. */
    begin: (subject: RecordSubject, after?: Promise<void>): void => begin(state, subject, after && { after }),
    /** Watched orders that can only make a position smaller; with those about to be, or as known without waiting. */
    exits: async (areComingToo: boolean): Promise<readonly Exit[]> => {
      const runs = areComingToo ? await allAt(state, place) : runningAt(state, place)
      const closed = placesAt(state, place).flatMap((one) => [...state.closedLately.of(botSymbolKeyOf(one))])
      return [...closed, ...runs.filter((run) => (run.closes() ?? run.closed()) !== undefined)]
    },
    /** Ends the watches over what a cancel of the symbol is about. */
    end: async (canceled: Canceled): Promise<EndedWatches> => await endAll(state, place, canceled),
    /** The bot's own orders of the symbol that sell what it holds. */
    ownExits,
    /** Takes these back for a sale; returns how own exits stand once they are away, or that took too long. */
    takeBack: async (by: string, exits: readonly string[]): Promise<readonly OwnExit[]> =>
      await ofNames(exits, async (run) => await run.takeBack(by)),
    /** Notes that this sale may be sent from now on. */
    beginSale: async (by: string, exits: readonly string[]): Promise<readonly OwnExit[]> =>
      await ofNames(exits, async (run) => await run.beginSale(by)),
    /** Lets what a sale has not sold stand again; returns how it stands then, or after some time. */
    giveBack: async (by: string, exits: readonly ReturnedExit[]): Promise<readonly StandingAgain[]> => {
      const left = new Map(exits.map((exit) => [exit.name, exit.left]))
      const runs = (await ownRuns()).filter(({ subject }) => left.has(keyOf(subject)))
      await patientlyAll(runs, async (run) => await run.giveBack(by, left.get(keyOf(run.subject))))
      return runs.map(({ subject, known }) => standingOf(keyOf(subject), known()))
    },
    /** Looks after the position, whose stop was not placed, or on spot after so many coins. */
    leaveBare: (coins?: string): void =>
      state.bare.note(protectedPositionOf(place, coins === undefined ? {} : { coins })),
  }
}

function ownExitsOf(runs: readonly WatchRun[]): OwnExit[] {
  return runs.flatMap(({ subject, known }) => ownExitOf(keyOf(subject), known()) ?? [])
}

async function patientlyAll(runs: readonly WatchRun[], act: (run: WatchRun) => Promise<void>): Promise<void> {
  const patience = new Promise<void>((resolve) => setTimeout(resolve, patienceMs).unref())
  await Promise.race([Promise.all(runs.map(act)), patience])
}

/** The watches of a market of an account, which several bots may have. */
function runningAt(state: WatchesState, place: WatchedPlace): WatchRun[] {
  return placesAt(state, place).flatMap((one) => [...state.running.at(one)])
}

/** The same with those that are about to begin, once they have. */
async function allAt(state: WatchesState, place: WatchedPlace): Promise<WatchRun[]> {
  return await begunAt(state, place.userId, () => placesAt(state, place))
}

function placesAt({ pool }: WatchesState, { accountKey, symbol }: WatchedPlace): BotSymbol[] {
  return [...pool.botsAt(accountKey)].map((botId) => ({ botId, symbol }))
}

async function endAll(state: WatchesState, place: WatchedPlace, canceled: Canceled): Promise<EndedWatches> {
  const runs = await allAt(state, place)
  const named = new Set<string>(canceled.clientOrderIds)
  for (const run of runs) if (openIdsIn(run.known()).some((id) => named.has(id))) run.letGo()
  const meant = runs.filter(
    (run) =>
      (!run.isLone() || run.known().stored.record.takenBack !== undefined) && isEndedBy(run, canceled, named),
  )
  const ended = await Promise.all(meant.map(heldUntilReleased))
  const released = ended.filter((held) => held !== undefined)
  return { count: released.length, held: released.flat() }
}

/** Releases the orders of a watch; the one that it held back, or undefined where it watched nothing any more. */
async function heldUntilReleased(run: WatchRun): Promise<VenueOrder[] | undefined> {
  const held = heldBy(run)
  if (!(await run.release())) return undefined
  return held === undefined ? [] : [held]
}

/** The order that is sent once its price is reached, as if it was at the exchange; undefined where there is none. */
function heldBy({ known }: WatchRun): VenueOrder | undefined {
  const held = heldIn(known().stored.record)
  return held && restingOrder(held.plan)
}

/** A group ends with all its orders; one of which an order is held with that, which no list shows. */
function isEndedBy(run: WatchRun, canceled: Canceled, named: ReadonlySet<string>): boolean {
  const { command, alertId, isCloseOnly } = canceled
  const isNamed = (id: string): boolean => named.has(id)
  const ids = openIdsIn(run.known())
  const order = heldBy(run)
  // An order is held on spot alone, where a sale closes.
  if (isCloseOnly) return order?.side !== 'sell' && ids.length > 0 && ids.every(isNamed)
  if (command.which === 'all') return true
  return order === undefined ? ids.every(isNamed) : isMeant(order, command, alertId)
}
