import { z } from 'zod'
import { DecimalText } from './decimal.ts'
import { ExchangeMarket } from './exchange.ts'

/** An account's balance of one coin. */
const AccountBalance = z.object({
  coin: z.string(),
  total: DecimalText,
  free: DecimalText.describe('the part that is not bound by orders or positions'),
})

/** One open position; null is what the exchange does not say. */
export const AccountPosition = z.object({
  symbol: z.string(),
  side: z.enum(['long', 'short']),
  position_side: z
    .enum(['both', 'long', 'short'])
    .describe('which of the positions of a symbol it is in hedge mode; both where there is one'),
  size: DecimalText.describe('base units, without a sign'),
  entry_price: DecimalText.nullable(),
  mark_price: DecimalText.nullable(),
  unrealized_pnl: DecimalText.nullable(),
  margin: DecimalText.nullable(),
  liquidation_price: DecimalText.nullable(),
})
export type AccountPosition = z.infer<typeof AccountPosition>

/** One open order, an ordinary one or one that waits for its trigger. */
export const AccountOrder = z.object({
  client_order_id: z.string(),
  exchange_order_id: z.string(),
  execution_id: z
    .string()
    .nullable()
    .describe('of the alert that placed it; null where it was placed by hand'),
  symbol: z.string(),
  side: z.enum(['buy', 'sell']),
  type: z.enum(['market', 'limit', 'stop', 'stopLimit', 'takeProfit', 'takeProfitLimit', 'other']),
  price: DecimalText.nullable(),
  trigger_price: DecimalText.nullable(),
  amount: DecimalText.describe('base units; 0 for one that closes all of a position'),
  filled: DecimalText,
  reduce_only: z.boolean(),
  protects_nothing: z.boolean().describe('it can only close a position, and there is none on its side'),
  created_at: z.iso.datetime().nullable(),
})
export type AccountOrder = z.infer<typeof AccountOrder>

/** The most orders of one account that are listed, so that an answer has an end. */
export const mostListedOrders = 1000

/** An account at its exchange at one moment. */
export const AccountStatementView = z.object({
  equity: DecimalText.nullable().describe('in USDT, or in USD where the exchange counts all coins'),
  available: DecimalText.nullable(),
  balances: z.array(AccountBalance),
  positions: z.array(AccountPosition),
  orders: z.array(AccountOrder).max(mostListedOrders),
  orders_left_out: z.int().describe('how many open orders there are besides'),
})

/** The readable part of the account of one API key; without any the error says why. */
export const AccountReading = z.object({
  api_key_id: z.uuid(),
  label: z.string(),
  exchange: ExchangeMarket,
  is_testnet: z.boolean(),
  read_at: z.iso.datetime().nullable().describe('when the exchange was asked; null where it could not be'),
  statement: AccountStatementView.nullable(),
  error_code: z.string().nullable(),
  error: z.string().nullable(),
})
export type AccountReading = z.infer<typeof AccountReading>
