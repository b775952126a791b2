import type { Refused } from '../order/order.ts'
import type { LastEntries, LastEntry } from './last-entry.ts'

/** Amount of a coin in an account; decimal text. */
export interface Holding {
  coin: string
  total: string
  free: string
}

/** One side of a position; the quantity is signed: a short is below zero. */
export interface HeldPosition {
  quantity: string
  entryPrice: string | null
  unrealizedPnl: string
}

/** Leverage and modes of an account in a market. */
export interface AccountSettings {
  leverage: string
  marginMode: 'cross' | 'isolated'
  positionMode: 'oneWay' | 'hedge'
}

/** The settings of an account to be changed. */
export type SettingsChange = Partial<AccountSettings>

/** Outcome of a change of settings; `unchanged`: it was so already. */
export type SettingsOutcome =
  | { outcome: 'changed' | 'unchanged'; note: string }
  | { outcome: 'refused'; code: string; error: string }
  | { outcome: 'unknown'; cause: string }
  /** Nothing was sent: when it was to be signed the lease was not held. */
  | { outcome: 'withheld' }

/** An account's holdings and its market's prices at one reading; decimal text throughout. */
export interface AccountReading {
  coin: string
  /** Amount of each coin in the account, and the free part of it; empty where that was not asked for. */
  holdings: readonly Holding[]
  /** Coins of a spot market that stops of the bot are to sell, where the exchange locks none for them. */
  reserved?: string
  /** Worth of the account, and the free part of it; null where that was not asked for. */
  equity: string | null
  available: string | null
  /** Signed base quantity: long above zero, short below, `0` when flat; on spot what is held of the base coin. */
  position: string
  /** Null when flat, and on spot. */
  entryPrice: string | null
  unrealizedPnl: string
  /** Both sides of the market's position where the account holds them apart (hedge mode). */
  hedged?: { long: HeldPosition; short: HeldPosition }
  /** Null on spot, and where they were not asked for. */
  settings: AccountSettings | null
  /** The bot's last entries here; absent where none is known. */
  lastEntries?: LastEntries
  /** The one of the position that a command addresses. */
  lastEntry?: LastEntry
  bid: string
  ask: string
  mark: string
  /**
   * By which the venue bounds the prices of orders and values those without one, where that is not the mark; null where
   * only the venue knows it.
   */
  bandPrice?: string | null
}

/** Returns how much of a coin is free to use; none where it is not held. */
export function freeIn({ holdings }: Pick<AccountReading, 'holdings'>, coin: string): string {
  return holdings.find((holding) => holding.coin === coin)?.free ?? '0'
}

/** A field of a reading that was asked for; throws for one that was not, since no number could stand for it. */
export function asRead(field: string | null): string {
  if (field === null) throw new Error('a field that nobody read was to be used')
  return field
}

/** Outcome of reading the account. */
export type Reading =
  | { outcome: 'read'; account: AccountReading }
  | Refused
  | { outcome: 'unreachable'; cause: string }
