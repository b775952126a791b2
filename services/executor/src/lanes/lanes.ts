import type { ExitKind } from '../domain/execution/lane-use.ts'

/** Which lane: a venue account, and a market of it. */
export interface Lane {
  account: string
  market: string
}

/** Entrant of a lane: what it may overtake, and what may overtake it. */
export interface Entrant extends Lane {
  /** It touches all markets of the account, and so runs alone there. */
  isAlone?: boolean
  /** Set where it only ends orders or shrinks positions: it need not wait for what lets its kind pass. */
  exit?: ExitKind | undefined
  /** Nothing of it can be at the exchange: where an exit overtakes it, it ends without having been run. */
  isUnsent?: boolean
  /** Name for those that are to know that an exit overtook it. */
  name?: string
  /** Settles once it is known that what comes later in the lane may begin before what came earlier, and overtook these. */
  breakOrder?: (overtaken: readonly string[]) => Promise<void>
}

/** The turn of one that runs in a lane. */
export interface Turn {
  /**
   * Lets exits of these kinds, and no others, run beside it from now on; never past one that waits. `mayBeOvertaken`: also
   * those that have waited long, if it opens nothing behind them.
   */
  letExitsPass: (kinds: readonly ExitKind[], mayBeOvertaken?: boolean) => void
  /** True once an exit that came later runs first, or is about to: nothing may be opened any more. */
  isOvertaken: () => boolean
  /** True where an exit overtook it before its turn came: it ends without being run. */
  isOver: boolean
}

/** First-in-first-out queues: what enters one lane runs one after the other, lanes run side by side. */
export interface Lanes {
  /** Runs now when the lane is free, else in its turn; settles with what was run. */
  enter: <Value>(entrant: Entrant, run: (turn: Turn) => Promise<Value>) => Promise<Value>
  /** True while nothing runs or waits there. */
  isFree: (lane: Lane) => boolean
  /** Count of waiting entries. */
  waiting: () => number
}

/** Exits that may pass: those of a kind, or those that have waited long. */
type Passing = ExitKind | 'overtaking'

interface Entry extends Entrant {
  state: 'waiting' | 'running'
  passing: readonly Passing[]
  /** It has waited long and does not wait for what is not sent yet. */
  isOvertaking: boolean
  isOvertaken: boolean
  isOver: boolean
  /** Whether it is known of all that it overtakes, or passes, that it does. */
  announced: 'no' | 'underway' | 'yes'
  start: () => void
}

/** Longest wait for what came before an exit that takes effect at once. */
const longestWaitMs = 15_000

/** Lanes that come into being with their first entry and go with their last; calls back with how long each waited. */
export function createLanes(
  onWaited: (ms: number) => void = () => undefined,
  overtakesAfterMs = longestWaitMs,
): Lanes {
  const accounts = new Map<string, Entry[]>()
  const leave = (entries: Entry[], entry: Entry): void => {
    entries.splice(entries.indexOf(entry), 1)
    if (entries.length === 0) accounts.delete(entry.account)
    else startDue(entries)
  }
  return {
    enter: async (entrant, run) => {
      const entries = accounts.get(entrant.account) ?? []
      accounts.set(entrant.account, entries)
      const turn = Promise.withResolvers<void>()
      const overtaking = { isOvertaking: false, isOvertaken: false, isOver: false, announced: 'no' } as const
      const entry: Entry = { ...entrant, state: 'waiting', passing: [], ...overtaking, start: turn.resolve }
      const from = performance.now()
      let waitedMs = 0
      entries.push(entry)
      startDue(entries)
      // The first in its lane runs before this returns.
      if (entry.state === 'waiting') {
        const timer =
          entry.exit === 'atOnce' &&
          setTimeout(() => void overtakeOutOfOrder(entries, entry), overtakesAfterMs).unref()
        await turn.promise
        if (timer !== false) clearTimeout(timer)
        waitedMs = performance.now() - from
      }
      try {
        return await run({
          letExitsPass: (kinds, mayBeOvertaken = false) => {
            const isPassed = mayBeOvertaken || kinds.includes('atOnce')
            entry.passing = isPassed ? [...kinds, 'overtaking'] : kinds
            startDue(entries)
          },
          isOvertaken: () => entry.isOvertaken,
          isOver: entry.isOver,
        })
      } finally {
        leave(entries, entry)
        onWaited(waitedMs)
      }
    },
    isFree: ({ account, market }) =>
      (accounts.get(account) ?? []).every((entry) => entry.isAlone !== true && entry.market !== market),
    waiting: () => [...accounts.values()].flat().filter(({ state }) => state === 'waiting').length,
  }
}

/** Lets the exit overtake once a successor would know of it, unless its turn came meanwhile. */
async function overtakeOutOfOrder(entries: Entry[], exit: Entry): Promise<void> {
  await exit.breakOrder?.(openersBefore(entries, exit).flatMap(({ name = [] }) => name))
  exit.announced = 'yes'
  if (exit.state === 'waiting') overtake(entries, exit)
}

/** Ends what waits before the exit and was not sent; nothing else before it opens anything any more. */
function overtake(entries: Entry[], exit: Entry): void {
  exit.isOvertaking = true
  for (const entry of openersBefore(entries, exit)) {
    entry.isOvertaken = true
    if (entry.state === 'running' || entry.isUnsent !== true) continue
    Object.assign(entry, { state: 'running', isOver: true })
    entry.start()
  }
  startDue(entries)
}

/** Returns the entries before the exit in its lane that may open something. */
function openersBefore(entries: readonly Entry[], exit: Entry): Entry[] {
  return entries
    .slice(0, entries.indexOf(exit))
    .filter((entry) => entry.exit === undefined && (entry.isAlone === true || entry.market === exit.market))
}

function startDue(entries: Entry[]): void {
  const ahead = new Map<string, readonly Passing[]>()
  for (const entry of entries) {
    if (entry.state === 'waiting' && isDue(entry, ahead) && isAnnounced(entries, entry)) {
      entry.state = 'running'
      entry.start()
    }
    const key = entry.isAlone === true ? everyMarket : entry.market
    const passing = passingOf(entry)
    const before = ahead.get(key) ?? passing
    ahead.set(
      key,
      before.filter((kind) => passing.includes(kind)),
    )
  }
}

/**
 * True where an exit passes nothing that may open something, or it is known that it does: from here on that opens nothing, and
 * a successor is to know it before the exit runs.
 */
function isAnnounced(entries: Entry[], entry: Entry): boolean {
  if (entry.exit !== 'atOnce') return true
  const openers = openersBefore(entries, entry)
  for (const opener of openers) opener.isOvertaken = true
  if (openers.length === 0 || entry.announced === 'yes' || entry.breakOrder === undefined) return true
  if (entry.announced === 'no') {
    entry.announced = 'underway'
    void entry.breakOrder(openers.flatMap(({ name = [] }) => name)).then(() => {
      entry.announced = 'yes'
      startDue(entries)
    })
  }
  return false
}

const everyMarket = '*'

/** Which exits need not wait for it: one that waits is passed by those alone that have waited long. */
function passingOf({ state, passing, exit, isUnsent }: Entry): readonly Passing[] {
  if (state === 'running') return passing
  return exit !== undefined || isUnsent !== true ? ['overtaking'] : []
}

/** True where nothing stands before it, or all that does lets it pass. */
function isDue(
  { isAlone, market, exit, isOvertaking }: Entry,
  ahead: ReadonlyMap<string, readonly Passing[]>,
): boolean {
  const keys = isAlone === true ? [...ahead.keys()] : [market, everyMarket]
  return keys
    .flatMap((key) => {
      const passing = ahead.get(key)
      return passing === undefined ? [] : [passing]
    })
    .every((passing) => {
      if (exit === undefined) return false
      return passing.includes(exit) || (isOvertaking && passing.includes('overtaking'))
    })
}
