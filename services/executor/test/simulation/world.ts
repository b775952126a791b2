import type { CommandResult } from '@tripline/proto/command-result'
import { isInFlight, leavesNoTrace, next, observe, type startExecution } from '../../src/domain/execution.ts'
import type { Execution, Sleep } from '../../src/domain/execution-state.ts'
import { absenceCountsAfterTakeover, type BothClocks, isHeld } from '../../src/domain/lease.ts'
import type { KeptRecord } from '../../src/domain/legs-record.ts'
import type { Random } from './random.ts'
import type { Timeline } from './timeline.ts'
import type { ModelVenue } from './venue.ts'

/** What decides, so that a test can see what a wrong decision leads to. */
export interface Rules {
  next: typeof next
  observe: typeof observe
  mayPlace: typeof isHeld
  /** Whether an owner may store what it came to: a later owner may have come to something else. */
  mayStore: typeof isHeld
  notAbsentBefore: (...about: Parameters<typeof absenceCountsAfterTakeover>) => number | undefined
  /** Whether an outcome has to be stored before anything behind it is sent. */
  isStoredFirst: (outcome: CommandResult) => boolean
  /** Whether an owner that stops may leave the execution to a successor that knows of no doubt. */
  mayHandOver: (execution: Execution) => boolean
}

/** The rules as they have to be. */
export const soundRules: Rules = {
  next,
  observe,
  mayPlace: isHeld,
  mayStore: isHeld,
  notAbsentBefore: absenceCountsAfterTakeover,
  isStoredFirst: leavesNoTrace,
  mayHandOver: (execution) => execution.notAbsentBefore === undefined && !isInFlight(execution),
}

/** The one lease there is. */
export interface ModelLease {
  owner: number
  revision: number
  isReleased: boolean
}

/** What all owners share. */
export interface World {
  timeline: Timeline
  random: Random
  rules: Rules
  venue: ModelVenue
  block: Omit<Parameters<typeof startExecution>[0], 'notAbsentBefore'>
  /** How far the owners' wall clocks are ahead of the venue's. */
  aheadMs: number
  /** The longest that a request is under way to the venue. */
  underwayMs: number
  /** In which share of the cases an order or its answer is slow or lost. */
  roughSending: number
  /** In which share of the cases a question or its answer is slow or lost. */
  roughAsking: number
  /** When the venue can be reached by nobody. */
  outage: { from: number; until: number }
  /** How many times more an owner may be killed, frozen, cut off from the bus or told to stop. */
  mishaps: number
  lease: ModelLease
  /** The records of commands of several orders, by command. */
  kept: Map<number, KeptRecord>
  /** How far the alert had come at each wait that was begun. */
  progress: Map<number, { sleep: Sleep; outcomes: readonly CommandResult[] }>
  /** The outcomes in the event stream: of two of the same command the first. */
  stored: CommandResult[]
  /** An owner came to the end of the alert and deleted it. */
  hasEnded: boolean
  /** What happened, for whoever wants to know why. */
  diary: string[]
}

/** The clocks of every owner. */
export function clocksIn({ timeline }: World): BothClocks {
  return { monotonic: timeline.now(), wall: timeline.now() }
}

/** True while the venue can be reached. */
export function isVenueUp({ timeline, outage }: World): boolean {
  return timeline.now() < outage.from || timeline.now() >= outage.until
}

/** Writes into the diary. */
export function note(world: World, text: string): void {
  world.diary.push(`${world.timeline.now()} ${text}`)
}
