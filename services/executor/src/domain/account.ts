/** What an account has of a coin; decimal text. */
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

/** What an account held, and what its market was worth, at one reading; decimal text throughout. */
export interface AccountReading {
  coin: string
  /** What the account has of each coin, and how much of it is free to use. */
  holdings: readonly Holding[]
  equity: string
  available: string
  /** Signed base quantity: long above zero, short below, `0` when flat; on spot what is held of the base coin. */
  position: string
  /** Null when flat, and on spot. */
  entryPrice: string | null
  unrealizedPnl: string
  /** Both sides of the market's position where the account holds them apart (hedge mode). */
  hedged?: { long: HeldPosition; short: HeldPosition }
  bid: string
  ask: string
  mark: string
}
