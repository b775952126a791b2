import { setTimeout as sleep } from 'node:timers/promises'
import type { KeyVerdict } from '../../domain/account/key-test.ts'

/** The times and intervals of looking at a key. */
export interface KeyWatchTiming {
  /** The longest wait for the exchange's verdict on a key, before its owner gets the report that the bot is ready. */
  readyMs: number
  /** The time from one account of the pool to the next one. */
  turnMs: number
  /** The first and the longest interval at which a refused key is tried again. */
  retryMs: number
  longestRetryMs: number
  /** The time for which a key that was found to be good is not suspected anew. */
  calmMs: number
}

/** The usual timing: a takeover of hundreds of bots asks one a second, which is a small part of what venues allow. */
export const usualKeyTiming: KeyWatchTiming = {
  readyMs: 2000,
  turnMs: 1000,
  retryMs: 30_000,
  longestRetryMs: 300_000,
  calmMs: 60_000,
}

/** The number of looks at a key that nothing speaks against while the venue gives no answer. */
const firstLooks = 3

/** The looks and the reports of a key watch. */
export interface KeyWatchOptions {
  /** Asks the venue something that takes the key; fails where it refuses, or cannot be asked. */
  ask: () => Promise<unknown>
  /** Finds out what the venue has against a key that it refused. */
  judge: () => Promise<KeyVerdict>
  /** Settles when one account more may be asked for, and when one more may be judged. */
  turns: KeyTurns
  /** Called with why the key is of no use, and with undefined that it is of use again. */
  onProblem: (problem: string | undefined) => void
  timing: KeyWatchTiming
}

/** The turns of all accounts. */
export interface KeyTurns {
  ask: () => Promise<void>
  judge: () => Promise<void>
}

/** Finds out whether the venue takes a key: once it is opened, and whenever the venue refused something for it. */
export interface KeyWatch {
  /**
   * Settles once nothing is known against the key: the venue takes it, or gave no answer within a moment. A key that
   * was refused at first was judged at that time.
   */
  first: Promise<void>
  /** Notes that the venue refused something for the key. */
  suspect: () => void
  stop: () => void
}

interface KeyWatchState {
  options: KeyWatchOptions
  ended: AbortController
  suspicion: PromiseWithResolvers<void>
  isSuspected: boolean
}

/** Watches a key until it is stopped. */
export function watchKey(options: KeyWatchOptions): KeyWatch {
  const state: KeyWatchState = {
    options,
    ended: new AbortController(),
    suspicion: Promise.withResolvers(),
    isSuspected: false,
  }
  const judged = Promise.withResolvers<void>()
  const looked = lookFirst(state)
  void judgeSuspects(state, judged.resolve)
  return {
    first: Promise.race([looked, pause(state, options.timing.readyMs)]).then(async () => {
      if (state.isSuspected) await judged.promise
    }),
    suspect: () => suspect(state),
    stop: () => {
      state.ended.abort()
      judged.resolve()
      suspect(state)
    },
  }
}

function suspect(state: KeyWatchState): void {
  state.isSuspected = true
  state.suspicion.resolve()
}

/** Has the venue asked until it answers: that it refuses the key is received where all its refusals are. */
async function lookFirst(state: KeyWatchState): Promise<void> {
  const { options, ended } = state
  for (let looks = 1; !ended.signal.aborted; looks++) {
    await options.turns.ask()
    if (ended.signal.aborted) return
    try {
      if (!state.isSuspected) await options.ask()
      return
    } catch {
      if (state.isSuspected || looks === firstLooks) return
      await pause(state, options.timing.retryMs)
    }
  }
}

/** Judges the key each time that it is suspected, again and again while the venue refuses it. */
async function judgeSuspects(state: KeyWatchState, onJudged: () => void): Promise<void> {
  const { options, ended } = state
  for (;;) {
    await state.suspicion.promise
    if (ended.signal.aborted) return
    await judgeUntilTaken(state, onJudged)
    state.suspicion = Promise.withResolvers()
    await pause(state, options.timing.calmMs)
  }
}

async function judgeUntilTaken(state: KeyWatchState, onJudged: () => void): Promise<void> {
  const { options, ended } = state
  const { retryMs, longestRetryMs } = options.timing
  let known: string | undefined
  for (let tries = 0; ; tries++) {
    await options.turns.judge()
    if (ended.signal.aborted) return
    const verdict = await options.judge().catch((): KeyVerdict => ({ outcome: 'unknown' }))
    if (ended.signal.aborted) return
    const problem = problemIn(verdict, known)
    if (problem !== known) options.onProblem(problem)
    known = problem
    onJudged()
    if (verdict.outcome === 'taken') return
    await pause(state, Math.min(longestRetryMs, retryMs * 2 ** tries))
    if (ended.signal.aborted) return
  }
}

/** Returns what is known against the key after a verdict: one that says nothing changes nothing. */
function problemIn(verdict: KeyVerdict, known: string | undefined): string | undefined {
  if (verdict.outcome === 'refused') return verdict.problem
  return verdict.outcome === 'taken' ? undefined : known
}

/** Waits for about this long, so that many do not try again together, or until the watch is stopped. */
async function pause({ ended: { signal } }: KeyWatchState, ms: number): Promise<void> {
  await sleep(ms * (0.75 + Math.random() / 4), undefined, { signal, ref: false }).catch(() => undefined)
}

/** Turns for all accounts of a pool: the first is at once, and each further one so long after the one before. */
export function createKeyTurns({ turnMs }: Pick<KeyWatchTiming, 'turnMs'>): KeyTurns {
  const evenly = (): (() => Promise<void>) => {
    let freeAt = 0
    return async () => {
      const waitMs = Math.max(0, freeAt - performance.now())
      freeAt = performance.now() + waitMs + turnMs
      if (waitMs > 0) await sleep(waitMs, undefined, { ref: false })
    }
  }
  return { ask: evenly(), judge: evenly() }
}
