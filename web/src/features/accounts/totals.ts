import type { AccountReading } from '@tripline/proto/account'
import { add } from '@tripline/proto/decimal'

/** The positions, orders and profit of all accounts that could be read. */
export interface Totals {
  positions: number
  orders: number
  /** Of the positions whose profit an exchange reports, in dollars; null if it reports none. */
  profit: string | null
}

/** Returns the totals of these accounts. */
export function totalsOf(accounts: readonly AccountReading[]): Totals {
  const statements = accounts.flatMap(({ statement }) => statement ?? [])
  const positions = statements.flatMap((statement) => statement.positions)
  const profits = positions.flatMap(({ unrealized_pnl: profit }) => profit ?? [])
  return {
    positions: positions.length,
    orders: statements.reduce(
      (sum, { orders, orders_left_out: leftOut }) => sum + orders.length + leftOut,
      0,
    ),
    profit: profits.length === 0 ? null : profits.reduce(add),
  }
}
