import type { Command } from '@tripline/proto/alert-tree'
import type { CommandResult } from '@tripline/proto/command-result'
import { elapsedMs } from '@tripline/proto/elapsed'
import type { EntryNote } from '@tripline/proto/entry-note'
import type { Flight } from '@tripline/proto/event'
import type { AlertId } from '@tripline/proto/id'
import type { TradingState } from '@tripline/proto/user-config'
import type { AccountReading, Reading, SettingsChange, SettingsOutcome } from '../account/account.ts'
import type { LegsRecord, StoredLegs } from '../group/legs-record.ts'
import type { OwnExit, ReturnedExit, StandingAgain, Taking } from '../group/own-exits.ts'
import type { AbsenceRule } from '../order/absence.ts'
import type { Attempt, Decision, HeldBack } from '../order/attempt.ts'
import type { Ending, Failure } from '../order/ending.ts'
import type { Market } from '../order/market.ts'
import type {
  Cancellation,
  LookUp,
  LookUpDepth,
  OpenOrders,
  OrderRef,
  Placement,
  VenueOrder,
} from '../order/order.ts'
import type { CommandContext } from '../resolve/decide.ts'
import type { Unanswered } from './unanswered.ts'

/** A wait that has begun: until when it goes on, and what the bot was allowed when it began. */
export interface Sleep {
  wakeAt: number
  tradingState: TradingState
}

/** Watches that a cancel ended: how many, and their orders that the venue did not have yet. */
export interface EndedWatches {
  count: number
  held: readonly VenueOrder[]
}

/** A cancel on its way: the orders to be ended, and those that were listed and are not ours to end again. */
export interface Canceling {
  targets: readonly Attempt[]
  /** Number of listings of the open orders, and whether they are to be listed once more. */
  listed: number
  isListDue: boolean
  /** When (monotonic) the list was asked for that counts; undefined before there is one. */
  listedAt?: number
  /** Whether watches that stand over the targets are to be ended first, and how many were. */
  isEndDue: boolean
  endedWatches: number
  /** Orders of ended watches that the venue did not have yet. */
  held: readonly VenueOrder[]
  /** Number of orders left alone, since the alert may only close. */
  left?: number
}

/** State of the command that runs now. */
export interface Current {
  startedAt: number
  reading?: AccountReading
  /** The account was read again, since what was remembered of it denied the command. */
  isReadAgain?: boolean
  /** The account, or its open orders, were asked for without an answer. */
  unanswered?: Unanswered
  /** The orders that were, or may have been, sent for it. */
  orders?: readonly Attempt[]
  /** Its record, where several orders are one command. */
  stored?: StoredLegs
  /** Whether it was looked whether an earlier owner left a record. */
  isRecalled?: boolean
  /** Set while its exit is not taken; a group has one for each leg. */
  heldBack?: HeldBack
  /** Since when its exit is decided on readings that are older than what ended the position. */
  readLateSince?: number
  canceling?: Canceling
  /** Set on spot for a sale, once it is known what of the bot's own exits was taken back for it. */
  taking?: Taking
  sleep?: Sleep
  /** Count of failed tries of something repeatable. */
  tries?: number
  ending?: Ending
  notBefore?: number
}

/** One block on its way: its commands, the outcomes of those that ended, and what is known of the one that runs. */
export interface Execution {
  alertId: AlertId
  block: number
  commands: readonly Command[]
  market: Market
  /** When an order that the market does not show counts as absent. */
  absence: AbsenceRule
  /** Since when its commands are due; entries are too old some time after. */
  dueAt: number
  /** Set while an earlier attempt may have sent orders: from when on one that is not found can no longer arrive. */
  notAbsentBefore: number | undefined
  /** It ended in doubt of an order that was not sent by all that the venue shows: then nothing behind it was. */
  isUnbegun?: boolean
  /** It came back with a back-up: what was done is found out, nothing is done again. */
  isRestored: boolean
  /** The alert came at a close-only address. */
  isCloseOnly?: boolean
  /** Its commands behind an entry were not judged before it: the account is read before that is sent. */
  isUnjudged?: boolean
  outcomes: readonly CommandResult[]
  current: Current
  /** Moments of the way of the command that runs. */
  flight?: Flight
  /** True where nothing was held when the present command placed first; absent before that. */
  wasFlat?: boolean
}

/** The next step of an execution. */
export type Step =
  | { do: 'read' }
  | { do: 'recall' }
  | { do: 'record'; record: LegsRecord; over: number }
  | { do: 'place'; decision: Decision }
  | { do: 'placeOco'; pair: readonly [Decision, Decision] }
  | { do: 'lookUp'; ref: OrderRef; depth?: LookUpDepth }
  /** `seenAt`: when (monotonic) the list was asked for that this was decided on. */
  | { do: 'cancel'; ref: OrderRef; seenAt?: number }
  | { do: 'list' }
  | { do: 'endWatches'; clientOrderIds: readonly string[]; command: Extract<Command, { type: 'cancel' }> }
  | { do: 'change'; change: SettingsChange }
  /** Looks which orders of the bot sell what it holds. */
  | { do: 'ownExits' }
  | { do: 'takeBack'; exits: readonly string[] }
  /** Notes that the sale is sent now for which these were taken back. */
  | { do: 'beginSale'; exits: readonly string[] }
  /** Looks which orders lock what the bot's own do not. */
  | { do: 'listOthers' }
  /** Lets what was taken back stand again, as far as its coins are there. */
  | { do: 'giveBack'; exits: readonly ReturnedExit[] }
  | { do: 'keepProgress'; sleep: Sleep }
  | { do: 'sleep'; until: number }
  | { do: 'wait'; until: number }
  | { do: 'settle'; outcome: CommandResult }
  | { do: 'finish' }

/** The end of a command, before anything behind it. */
export interface EndedCommand {
  outcome: CommandResult
  /** Its effect on the bot's entries. */
  entryNotes?: readonly EntryNote[]
  /** An order of it is in doubt. */
  isUntold?: boolean
  /** An exit that came later was run before it. */
  isOvertaken?: boolean
  /** Alarm for a person, where it is another than usual. */
  alarm?: Failure
}

/** An answer of the venue, and by how many ms its clock is ahead: without that its times could not be read beside ours. */
interface ByVenue {
  clockAheadMs?: number
}

/** Finding of a step, or a report on it while it runs. */
export type Observation =
  /** A step of the command is taken; `wasFlat`: its first order is placed while nothing is held. */
  | { of: 'begun'; by: Step['do']; wasFlat?: boolean }
  /** Orders were given to the connection. */
  | { of: 'sent'; decisions: readonly Decision[]; sentAt: number; epoch?: number | undefined }
  /** The venue has not reported the fate of an order for long. */
  | { of: 'longUnknown' }
  /** An exit or a cancel is tried for long, and for so many ms at most. */
  | { of: 'inVain'; reason: string; forMs: number }
  | ({ of: 'ended' } & EndedCommand)
  /** `isUrgent`: an exit depends on it. */
  | { of: 'read'; reading: Reading; isUrgent: boolean }
  | { of: 'recall'; stored: StoredLegs | undefined }
  /** `revision` is undefined where another record was stored there. */
  | { of: 'record'; record: LegsRecord; revision: number | undefined }
  | ({ of: 'place'; decision: Decision; placement: Placement; sentAt?: number } & ByVenue)
  | ({ of: 'placeOco'; placements: readonly Placement[]; sentAt?: number } & ByVenue)
  | ({ of: 'lookUp'; ref: OrderRef; lookUp: LookUp; askedAt: number } & ByVenue)
  | { of: 'cancel'; ref: OrderRef; cancellation: Cancellation }
  | { of: 'list'; open: OpenOrders; askedAt: number }
  /** The open orders were not asked for, since the lease was not held. */
  | { of: 'unlisted' }
  | ({ of: 'endWatches' } & EndedWatches)
  | { of: 'change'; outcome: SettingsOutcome }
  | { of: 'ownExits' | 'takeBack' | 'beginSale'; exits: readonly OwnExit[] }
  | { of: 'giveBack'; exits: readonly StandingAgain[] }
  | { of: 'listOthers'; open: OpenOrders }
  | { of: 'keepProgress'; sleep: Sleep }
  | { of: 'settle'; outcome: CommandResult }
  | { of: 'fault' }

/** Which command of which alert runs now. */
export function placeOf({ alertId, block, commands, outcomes, market }: Execution): CommandContext {
  const command = outcomes.length
  return { alertId, block, command, market, before: commands.slice(0, command) }
}

/** The step that ends a command. */
export function settle({ commands, outcomes, current }: Execution, ending: Ending, now: number): Step {
  const command = commands[outcomes.length]?.type ?? ''
  const executionTimeMs = ending.status === 'skipped' ? 0 : elapsedMs(current.startedAt, now)
  return { do: 'settle', outcome: { command, ...ending, executionTimeMs } }
}

/** The execution with what is known of its command changed. */
export function withCurrent(execution: Execution, change: Partial<Current>): Execution {
  return { ...execution, current: { ...execution.current, ...change } }
}

/**
 * Returns the step for a command that comes to no order. Position modes are remembered and may be changed by hand,
 * which no venue reports: where that denies the command, the account is asked for before it is refused.
 */
export function endUnsent(execution: Execution, ending: Ending, now: number): Step {
  const isDenied = ending.errorCode === 'E405' && execution.current.isReadAgain !== true
  return isDenied ? { do: 'read' } : settle(execution, ending, now)
}
