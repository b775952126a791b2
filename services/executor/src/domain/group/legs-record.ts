import { DecimalText } from '@tripline/proto/decimal'
import { ClientOrderId } from '@tripline/proto/id'
import { z } from 'zod'

const Warning = z.object({
  code: z.enum(['W703', 'W704', 'W705', 'W706', 'W707']),
  text: z.string(),
})

const OrderPlan = z.object({
  clientOrderId: ClientOrderId,
  symbol: z.string(),
  type: z.enum(['market', 'limit', 'stop', 'stopLimit', 'takeProfit', 'takeProfitLimit']),
  side: z.enum(['buy', 'sell']),
  quantity: DecimalText,
  quoteQuantity: DecimalText.exactOptional(),
  price: DecimalText.exactOptional(),
  triggerPrice: DecimalText.exactOptional(),
  trigger: z.enum(['mark', 'last', 'index']).exactOptional(),
  timeInForce: z.enum(['gtc', 'ioc', 'fok', 'postOnly']).exactOptional(),
  reduceOnly: z.boolean(),
  positionSide: z.enum(['both', 'long', 'short']),
  sizing: z.string(),
})

const Decision = z.object({
  plan: OrderPlan,
  pricing: z.string().exactOptional(),
  warnings: z.array(Warning).exactOptional(),
  reference: DecimalText.exactOptional(),
  referenceKind: z.enum(['sized', 'before', 'after']).exactOptional(),
})

const Leg = z.object({
  decision: Decision,
  /** Goes up with each deliberate replacement, and with it the id. */
  revision: z.int().nonnegative(),
  /** The quantity before any replacement. */
  original: DecimalText.exactOptional(),
  /** Filled quantity of the orders that this one replaced, as far as they are gone. */
  filledBefore: DecimalText.exactOptional(),
  /** The order that gives way to this one. */
  replaces: Decision.exactOptional(),
  /** Its order ended, and that was dealt with. */
  isOver: z.boolean().exactOptional(),
  /** It cannot be made smaller, and stays as it is. */
  isFixed: z.boolean().exactOptional(),
})
export type Leg = z.infer<typeof Leg>

/** Rules of a group: the rest of the legs when one is filled, and when one is filled in part. */
const Rules = z.object({
  mode: z.enum(['cancel', 'reduce']),
  onPartial: z.enum(['reduce', 'cancel', 'keep']),
})

/**
 * A sale that takes these orders back, since they lock its coins. `taking`: they are being canceled; `selling`: they are
 * gone, and the sale may have been sent; `returning`: it has ended, and what it left is to stand again; `placing`: that is
 * being sent.
 */
const TakenBack = z.object({
  /** Which command of which execution sells. */
  by: z.string(),
  /** Their coins that are to stand again, where it sold some. */
  left: DecimalText.exactOptional(),
  phase: z.enum(['taking', 'selling', 'returning', 'placing']),
})
export type TakenBack = z.infer<typeof TakenBack>

/**
 * Record of a command of several orders, written before the first of them is sent, and of one whose only order is left
 * open. `placing`: legs are being sent; `live`: all that will be sent was; `closing`: what is open is being canceled;
 * `done`: nothing of it is open.
 */
export const LegsRecord = z.object({
  state: z.enum(['placing', 'live', 'closing', 'done']),
  /** Keeper that ends the others when one leg fills. */
  keeper: z.enum(['venue', 'executor']),
  rules: Rules,
  legs: z.array(Leg).min(1),
  /** A stop among the legs is against the position that was held when they were decided on. */
  protects: z.boolean().exactOptional(),
  /** Why it is being undone; absent where it is not. */
  failure: z.object({ code: z.string(), error: z.string() }).exactOptional(),
  /** Why a leg is missing while the others stand: what protects is not taken back for that. */
  incomplete: z.object({ code: z.string(), error: z.string() }).exactOptional(),
  /** The order for which the others make way, where it is not to be canceled. */
  closedBy: z.string().exactOptional(),
  /**
   * Order in turn, where the venue can have but one of a pair at a time, the stop or what takes the profit. `taking`:
   * the stop is being taken back for the other; `alone`: the stop is gone, not by us, and the other takes its place.
   */
  turn: z.enum(['stop', 'taking', 'profit', 'alone']).exactOptional(),
  /** A person was notified that it has had no order at the venue for long. */
  isToldBare: z.boolean().exactOptional(),
  /** Its command was given up as unknown: the outcome is reported once it is known. */
  isUntold: z.boolean().exactOptional(),
  /** The position is closed that its orders only could make smaller: they are ended. */
  isClosed: z.boolean().exactOptional(),
  /** None of its orders ends another any more, or it has but one: their ends are reported, and nothing else is done. */
  isLone: z.boolean().exactOptional(),
  takenBack: TakenBack.exactOptional(),
  /** The market passed its stop while that was away: its coins are sold at once. */
  isPassed: z.boolean().exactOptional(),
})
export type LegsRecord = z.infer<typeof LegsRecord>

/** True where only the ends of the orders are reported: they end by themselves, or each other at the venue. */
export function isLone({ isLone, isUntold, keeper }: LegsRecord): boolean {
  return isUntold !== true && (isLone === true || keeper === 'venue')
}

/** True where its watch has changed something already, so that it knows more of the orders than their command does. */
export function hasMovedOn({ state, isLone, isClosed, turn = 'stop', legs }: LegsRecord): boolean {
  const isChanged = state === 'done' || isLone === true || isClosed === true || turn !== 'stop'
  return isChanged || legs.some(({ revision }) => revision > 0)
}

/** A record as it is stored in its bucket, with the revision that the next change names. */
export interface StoredLegs {
  record: LegsRecord
  revision: number
}
