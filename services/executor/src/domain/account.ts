/** What an account held, and what its market was worth, at one reading; decimal text throughout. */
export interface AccountReading {
  coin: string
  wallet: string
  equity: string
  available: string
  /** Signed base quantity: long above zero, short below, `0` when flat. */
  position: string
  entryPrice: string | null
  unrealizedPnl: string
  bid: string
  ask: string
  mark: string
}
