import type { Command, PositionSide } from '@tripline/proto/language/tree'
import type { AccountReading } from '../account/account.ts'
import type { Market } from '../order/market.ts'
import type { OrderPlan, Warning } from '../order/order.ts'
import type { Denial, NothingToSize } from '../sizing/basis.ts'

/** One order that a command comes to, in the steps and ticks of its market. */
export interface ResolvedOrder extends Omit<OrderPlan, 'clientOrderId' | 'symbol'> {
  /** The basis and the arithmetic of the price, where it was not written as one. */
  pricing?: string
  warnings: readonly Warning[]
}

/** Resolution of a command. */
export type Resolution =
  | { outcome: 'orders'; orders: readonly ResolvedOrder[] }
  | ({ outcome: 'nothing' } & Pick<NothingToSize, 'code' | 'note'>)
  | ({ outcome: 'denied' } & Pick<Denial, 'code' | 'error'>)

/** Scene of a command: the market, and the account with the position that is addressed. */
export interface Scene {
  market: Market
  reading: AccountReading
  positionSide: PositionSide
  /** It is one of several orders of which one ends the others. */
  isLeg?: boolean
  /** The commands of its block that come before it. */
  before?: readonly Command[]
}
