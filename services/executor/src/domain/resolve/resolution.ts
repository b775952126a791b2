import type { Command, PositionSide, TimeInForce, Trigger } from '@tripline/proto/language/tree'
import type { AccountReading } from '../account.ts'
import type { Market } from '../market.ts'
import type { OrderType } from '../order-type.ts'
import type { Side } from '../side.ts'
import type { Denial, NothingToSize } from '../sizing-basis.ts'

/** One order that a command comes to, in the steps and ticks of its market. */
export interface ResolvedOrder {
  type: OrderType
  side: Side
  /** Base quantity; `0` where the quote quantity says what is spent. */
  quantity: string
  quoteQuantity?: string
  price?: string
  triggerPrice?: string
  trigger?: Trigger
  timeInForce?: TimeInForce | 'postOnly'
  reduceOnly: boolean
  positionSide: PositionSide
  /** The basis and the arithmetic of the quantity, in words. */
  sizing: string
  /** The same of the price, where it was not written as one. */
  pricing?: string
  warnings: readonly Warning[]
}

/** Something about an order that its sender should know; it is placed all the same. */
export interface Warning {
  /** W706 is in stored records of a version before alone. */
  code: 'W703' | 'W704' | 'W705' | 'W706' | 'W707'
  text: string
}

/** What a command comes to. */
export type Resolution =
  | { outcome: 'orders'; orders: readonly ResolvedOrder[] }
  | ({ outcome: 'nothing' } & Pick<NothingToSize, 'code' | 'note'>)
  | ({ outcome: 'denied' } & Pick<Denial, 'code' | 'error'>)

/** Where a command is resolved: the market, and the account with the position that is addressed. */
export interface Scene {
  market: Market
  reading: AccountReading
  positionSide: PositionSide
  /** It is one of several orders of which one ends the others. */
  isLeg?: boolean
  /** The commands of its block that come before it. */
  before?: readonly Command[]
}
