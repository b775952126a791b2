import type { AlertId, BotId, ExecutionId, UserId } from '@tripline/proto/id'
import type { CancelCommand } from '../domain/execution/cancel-orders.ts'
import type { EndedWatches } from '../domain/execution/state.ts'
import type { ClosedOrders, Closes } from '../domain/group/closing.ts'
import type { OwnExit, ReturnedExit, StandingAgain } from '../domain/group/own-exits.ts'
import type { RecordSubject } from '../store/record-store.ts'

/** A bot's symbol, and the account in whose market that is; several bots may have it. */
export interface WatchedPlace {
  userId: UserId
  botId: BotId
  accountKey: string
  symbol: string
}

/** Subject of a cancel: open orders, and those that are not at the exchange yet. */
export interface Canceled {
  clientOrderIds: readonly string[]
  command: CancelCommand
  alertId: AlertId
  /** The alert may only close: groups that may protect stay. */
  isCloseOnly: boolean
}

/** Orders of an earlier command that can only make a position smaller, and are watched, or were till lately. */
export interface Exit {
  subject: { executionId: ExecutionId; command: number }
  /** Readings that are asked for from then on show the position that they were decided on. */
  shownFrom: number
  closes: () => Closes | undefined
  /** Returns the orders that ended with that position; undefined while nobody has found it closed. */
  closed: () => ClosedOrders | undefined
  endClosed: () => Promise<boolean>
  /** Settles once nothing of it is open any more. */
  ended: Promise<void>
}

/** The watches over groups of orders that commands left behind in one market. */
export interface WatchedMarket {
  /** Ends the watches over what a cancel of the symbol is about. */
  end: (canceled: Canceled) => Promise<EndedWatches>
  /** Watched orders that can only make a position smaller; with those about to be, or as known without waiting. */
  exits: (areComingToo: boolean) => Promise<readonly Exit[]>
  /** Watches over what a command left open, once what is to come before that has. */
  begin: (subject: RecordSubject, after?: Promise<void>) => void
  /** The bot's own orders of the symbol that sell what it holds. */
  ownExits: () => Promise<readonly OwnExit[]>
  /** Takes these back for the sale of this name; returns how own exits stand then. */
  takeBack: (by: string, exits: readonly string[]) => Promise<readonly OwnExit[]>
  /** Notes that this sale may be sent from now on. */
  beginSale: (by: string, exits: readonly string[]) => Promise<readonly OwnExit[]>
  /** Lets these stand again, as far as their coins are not sold; returns how they stand then. */
  giveBack: (by: string, exits: readonly ReturnedExit[]) => Promise<readonly StandingAgain[]>
  /** Looks after the position, whose stop was not placed, or on spot after so many coins. */
  leaveBare: (coins?: string) => void
}

/** The watches by their place. */
export interface Watching {
  at: (place: WatchedPlace) => WatchedMarket
}
