import type { CommandResult } from '@tripline/proto/command-result'
import {
  isInFlight,
  leavesNoTrace,
  next,
  observe,
  type startExecution,
} from '../../src/domain/execution/execution.ts'
import type { Execution, Sleep } from '../../src/domain/execution/state.ts'
import type { StoredLegs } from '../../src/domain/group/legs-record.ts'
import {
  absenceCountsAfterTakeover,
  type BothClocks,
  isHeld,
  maySign,
  unbegunAfter,
} from '../../src/domain/sharing/lease.ts'
import type { Random } from './random.ts'
import type { Timeline } from './timeline.ts'
import type { ModelVenue } from './venue.ts'

/** A mishap of an owner. */
export type Mishap = 'kill' | 'freeze' | 'cut off' | 'stop' | 'sleep'

/** The decisions, so that a test can see the effect of a wrong one. */
export interface Rules {
  next: typeof next
  observe: typeof observe
  /** Whether a request that changes something may be signed. */
  maySign: typeof maySign
  /** Whether an owner may store what it came to: a later owner may have come to something else. */
  mayStore: typeof isHeld
  /** Whether a process that has the place of an owner to which this happened shows that the owner is gone. */
  provesGone: (mishap: Mishap) => boolean
  /** From when on, by the clock of the bus, the former owner has begun nothing, by when its lease was stored. */
  unbegunAfter: (leaseStoredAt: number) => number
  notAbsentBefore: (...about: Parameters<typeof absenceCountsAfterTakeover>) => number | undefined
  /** Whether an outcome has to be stored before anything behind it is sent. */
  isStoredFirst: (outcome: CommandResult) => boolean
  /** Whether all outcomes have to be stored before the caller gets them. */
  isResultStoredFirst: (outcomes: readonly CommandResult[]) => boolean
  /** Whether an owner that stops may leave the execution to a successor that knows of no doubt. */
  mayHandOver: (execution: Execution) => boolean
}

/** The rules as they have to be. */
export const soundRules: Rules = {
  next,
  observe,
  maySign,
  mayStore: isHeld,
  provesGone: (mishap) => mishap === 'kill',
  unbegunAfter,
  notAbsentBefore: absenceCountsAfterTakeover,
  isStoredFirst: leavesNoTrace,
  isResultStoredFirst: (outcomes) => outcomes.some(({ status }) => status !== 'success'),
  mayHandOver: (execution) => execution.notAbsentBefore === undefined && !isInFlight(execution),
}

/** The one lease there is. */
export interface ModelLease {
  owner: number
  revision: number
  isReleased: boolean
  /** When this revision was stored, by the clock of the server that keeps leases. */
  storedAt: number
  /** From when on a successor has the place of the owner, where one is begun there. */
  goneBy?: number | undefined
}

/** Shared by all owners. */
export interface World {
  timeline: Timeline
  random: Random
  rules: Rules
  venue: ModelVenue
  block: Omit<Parameters<typeof startExecution>[0], 'notAbsentBefore'>
  /** When the alert is stored: before that no owner knows of it. */
  alertAt: number
  /** The ms by which the bus's clocks are ahead: on the server of leases, and on that of alerts. */
  busAhead: { leases: number; alerts: number }
  /** The ms by which the owners' wall clocks lead the venue's. */
  aheadMs: number
  /** The longest that a request is under way to the venue. */
  underwayMs: number
  /** In which share of the cases an order or its answer is slow or lost. */
  roughSending: number
  /** In which share of the cases a question or its answer is slow or lost. */
  roughAsking: number
  /** When the venue can be reached by nobody. */
  outage: { from: number; until: number }
  /** The mishaps left: an owner is killed, frozen, cut off from the bus, stopped, or asleep with its clocks. */
  mishaps: number
  lease: ModelLease
  /** The records of commands of several orders, by command. */
  storedLegs: Map<number, StoredLegs>
  /** The alert's progress at each wait that was begun. */
  progress: Map<number, { sleep: Sleep; outcomes: readonly CommandResult[] }>
  /** The outcomes in the event stream: of two of the same command the first. */
  stored: CommandResult[]
  /** Results for the caller, by one owner or several. */
  results: (readonly CommandResult[])[]
  /** An owner came to the end of the alert and deleted it. */
  hasEnded: boolean
  /** The events, for whoever wants to know why. */
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
