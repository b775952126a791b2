import { z } from 'zod'
import { DecimalText } from './decimal.ts'

/** The status of a command; `skipped` only behind a failure before it in its block, or where its bot was stopped. */
export const CommandStatus = z.enum(['success', 'failed', 'skipped', 'unknown', 'running'])
export type CommandStatus = z.infer<typeof CommandStatus>

const Warning = z.object({ code: z.string(), text: z.string() })

/** An order of the bot that was taken back, since it locked coins that a sale needed. */
const TakenBackOrder = z.object({
  id: z.string(),
  client_order_id: z.string(),
  side: z.enum(['buy', 'sell']),
  type: z.string(),
  amount: DecimalText,
  filled: DecimalText,
  price: DecimalText.nullable().describe('the trigger, or else the limit'),
  stands_again: DecimalText.nullable().describe('how much of it is placed again; null where nothing is'),
})
export type TakenBackOrder = z.infer<typeof TakenBackOrder>

/** An order as a command's result shows it. */
export const OrderOutcome = z.object({
  id: z.string().describe("the venue's order id"),
  client_order_id: z.string(),
  symbol: z.string(),
  side: z.enum(['buy', 'sell']),
  type: z.enum(['market', 'limit', 'stop', 'stopLimit', 'takeProfit', 'takeProfitLimit', 'other']),
  amount: DecimalText.describe('quantity in base units'),
  price: DecimalText.nullable().describe(
    'average fill price; before any fill the limit, or else the trigger',
  ),
  triggerPrice: DecimalText.nullable().optional(),
  limit_price: DecimalText.nullable().optional(),
  average_price: DecimalText.nullable().optional(),
  filled: DecimalText,
  fee: z.object({ amount: DecimalText, coin: z.string() }).nullable().optional(),
  status: z
    .enum(['untriggered', 'open', 'partially_filled', 'filled', 'canceled', 'expired', 'rejected', 'held'])
    .describe('held: not at the venue until its price is reached'),
  reduce_only: z.boolean(),
  sizing: z.string().describe('the basis and the arithmetic of the size'),
  pricing: z.string().optional().describe('the arithmetic of the price'),
  warnings: z.array(Warning).optional(),
  reference_price: DecimalText.nullable().optional().describe('the ask of the market, or its bid for a sale'),
  reference_kind: z
    .enum(['sized', 'before', 'after'])
    .optional()
    .describe(
      'when: as the order was sized, within the second before it was sent, or once it was on the wire',
    ),
  slippage_percent: DecimalText.nullable().optional().describe('worse than the reference above zero'),
  taken_back: z
    .array(TakenBackOrder)
    .optional()
    .describe("the bot's own orders that locked the coins of this sale, and were canceled before it"),
})
export type OrderOutcome = z.infer<typeof OrderOutcome>

/** Orders of an earlier command that ended with the position that they were for. */
const EndedOutcome = z.object({
  execution_id: z.string(),
  command: z.int().nonnegative().describe('which command of its execution, from 0'),
  client_order_ids: z.array(z.string()),
})
export type EndedOutcome = z.infer<typeof EndedOutcome>

const ended = z.array(EndedOutcome).optional()

/** The order of a command, and what ended with the position that it closed. */
export const PlacedOutcome = OrderOutcome.extend({ ended })
export type PlacedOutcome = z.infer<typeof PlacedOutcome>

/** An account's holdings, as the balance command shows them. */
export const BalanceOutcome = z.object({
  balance: z.object({ coin: z.string(), total: DecimalText, free: DecimalText }),
  equity: DecimalText,
  available: DecimalText,
  position: z
    .object({
      side: z.enum(['long', 'short', 'flat']),
      quantity: DecimalText,
      entry_price: DecimalText.nullable(),
    })
    .nullable(),
  unrealized_pnl: DecimalText,
})
export type BalanceOutcome = z.infer<typeof BalanceOutcome>

/** The stop loss and the take profit of a command, each where it was asked for. */
const ProtectionOutcome = z.object({
  stopLoss: OrderOutcome.nullable(),
  takeProfit: OrderOutcome.nullable(),
})

/** Orders of which one ends the others, and who sees to that. */
export const GroupOutcome = z.object({
  orders_count: z.int().nonnegative(),
  orders: z.array(OrderOutcome),
  kept_by: z.enum(['venue', 'executor']),
})

/** Orders that were placed for a command which then failed, as they ended. */
const UndoneOutcome = z.object({ undone: z.array(OrderOutcome) })

/** The orders that a cancel ended. */
const CancelOutcome = z.object({
  cancelled_count: z.int().nonnegative(),
  cancelled: z.array(
    z.object({
      id: z.string(),
      client_order_id: z.string(),
      side: z.enum(['buy', 'sell']),
      type: z.string(),
      amount: DecimalText,
      filled: DecimalText,
      price: DecimalText.nullable(),
    }),
  ),
  note: z.string().optional(),
})
export type CancelOutcome = z.infer<typeof CancelOutcome>

/** The length of a wait, in ms, and the time of its end. */
const WaitOutcome = z.object({ duration: z.number().nonnegative(), woke_at: z.number() })

/** The settings that were asked for, and whether that changed anything. */
const SettingsOutcome = z.object({
  changed: z.boolean(),
  leverage: DecimalText.nullable(),
  margin_mode: z.enum(['cross', 'isolated']).nullable(),
  position_mode: z.enum(['oneWay', 'hedge']).nullable(),
  note: z.string(),
})

/** The result of a command that had nothing to do; a cancel's also says that it ended no order. */
export const NothingToDo = z.object({
  code: z.enum(['N802', 'N803', 'N804']),
  note: z.string(),
  cancelled_count: z.literal(0).exactOptional(),
  ended,
})
export type NothingToDo = z.infer<typeof NothingToDo>

/**
 * The outcome of one command. `errorCode` and `error` are there where it failed or is unknown, and where it was skipped
 * because its bot was stopped.
 */
export const CommandResult = z.object({
  command: z.string(),
  status: CommandStatus,
  result: z
    .union([
      PlacedOutcome,
      BalanceOutcome,
      NothingToDo,
      ProtectionOutcome,
      GroupOutcome,
      UndoneOutcome,
      CancelOutcome,
      WaitOutcome,
      SettingsOutcome,
    ])
    .nullable(),
  errorCode: z.string().nullable(),
  error: z.string().nullable(),
  executionTimeMs: z.number().nonnegative(),
})
export type CommandResult = z.infer<typeof CommandResult>
