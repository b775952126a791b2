/** Which lane: a venue account, and a market of it. */
export interface Lane {
  account: string
  market: string
}

/** What enters a lane: what it may overtake, and what may overtake it. */
export interface Entrant extends Lane {
  /** It touches all markets of the account, and so runs alone there. */
  isAlone?: boolean
  /** It only ends orders or shrinks positions: it need not wait for what is long unknown. */
  isExit?: boolean
}

/** The turn of one that runs in a lane. */
export interface Turn {
  /** Lets exits run beside it from now on: what became of it is long unknown. */
  letExitsPass: () => void
}

/** First-in-first-out queues: what enters one lane runs one after the other, lanes run side by side. */
export interface Lanes {
  /** Runs now when the lane is free, else in its turn; settles with what was run. */
  enter: <Value>(entrant: Entrant, run: (turn: Turn) => Promise<Value>) => Promise<Value>
  /** How many wait for their turn. */
  waiting: () => number
}

interface Entry extends Entrant {
  state: 'waiting' | 'running' | 'passable'
  start: () => void
}

/** Lanes that come into being with their first entry and go with their last; calls back with how long each waited. */
export function createLanes(onWaited: (ms: number) => void = () => undefined): Lanes {
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
      const entry: Entry = { ...entrant, state: 'waiting', start: turn.resolve }
      const from = performance.now()
      let waitedMs = 0
      entries.push(entry)
      startDue(entries)
      // What is first in its lane runs before this returns.
      if (entry.state === 'waiting') {
        await turn.promise
        waitedMs = performance.now() - from
      }
      try {
        return await run({
          letExitsPass: () => {
            if (entry.state === 'passable') return
            entry.state = 'passable'
            startDue(entries)
          },
        })
      } finally {
        leave(entries, entry)
        onWaited(waitedMs)
      }
    },
    waiting: () => [...accounts.values()].flat().filter(({ state }) => state === 'waiting').length,
  }
}

/** What stands before an entry: one that runs or waits, or only ones that exits may overtake. */
type Ahead = 'all wait' | 'exits pass'

function startDue(entries: Entry[]): void {
  const ahead = new Map<string, Ahead>()
  for (const entry of entries) {
    const before = aheadOf(entry, ahead)
    const isDue = before === undefined || (before === 'exits pass' && entry.isExit === true)
    if (entry.state === 'waiting' && isDue) {
      entry.state = 'running'
      entry.start()
    }
    const isPassed = entry.state === 'passable' || (entry.state === 'waiting' && before === 'exits pass')
    const key = entry.isAlone === true ? everyMarket : entry.market
    if (ahead.get(key) !== 'all wait') ahead.set(key, isPassed ? 'exits pass' : 'all wait')
  }
}

const everyMarket = '*'

function aheadOf({ isAlone, market }: Entry, ahead: ReadonlyMap<string, Ahead>): Ahead | undefined {
  const relevant = isAlone === true ? [...ahead.values()] : [ahead.get(market), ahead.get(everyMarket)]
  if (relevant.includes('all wait')) return 'all wait'
  return relevant.includes('exits pass') ? 'exits pass' : undefined
}
