import { z } from 'zod'
import { DecimalText } from './decimal.ts'

/** Where a command stands; `skipped` only after a failure before it in its block. */
export const CommandStatus = z.enum(['success', 'failed', 'skipped', 'unknown', 'running'])
export type CommandStatus = z.infer<typeof CommandStatus>

/** An order as a command's result shows it. */
export const OrderOutcome = z.object({
  id: z.string().describe("the venue's order id"),
  client_order_id: z.string(),
  symbol: z.string(),
  side: z.enum(['buy', 'sell']),
  type: z.enum(['market']),
  amount: DecimalText.describe('quantity in base units'),
  price: DecimalText.nullable().describe('average fill price'),
  filled: DecimalText,
  status: z.enum(['untriggered', 'open', 'partially_filled', 'filled', 'canceled', 'expired', 'rejected']),
  reduce_only: z.boolean(),
  sizing: z.string().describe('the basis and the arithmetic of the size'),
})
export type OrderOutcome = z.infer<typeof OrderOutcome>

/** What an account holds, as the balance command shows it. */
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

/** What a command that had nothing to do says. */
export const NothingToDo = z.object({ code: z.literal('N802'), note: z.string() })

/** What became of one command. `errorCode` and `error` are there exactly when it failed or is unknown. */
export const CommandResult = z.object({
  command: z.string(),
  status: CommandStatus,
  result: z.union([OrderOutcome, BalanceOutcome, NothingToDo]).nullable(),
  errorCode: z.string().nullable(),
  error: z.string().nullable(),
  executionTimeMs: z.number().nonnegative(),
})
export type CommandResult = z.infer<typeof CommandResult>
