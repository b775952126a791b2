import { z } from 'zod'
import type { Account, Position } from '../domain/account.ts'
import type { Fill, Order } from '../domain/order.ts'

const Whole = z
  .string()
  .regex(/^-?\d+$/)
  .transform(BigInt)
const Side = z.enum(['buy', 'sell'])

const OrderRow = z.object({
  id: z.number(),
  symbol: z.string(),
  clientOrderId: z.string(),
  side: Side,
  type: z.enum(['market', 'limit']),
  timeInForce: z.enum(['gtc', 'ioc', 'fok', 'postOnly']),
  quantity: Whole,
  price: Whole,
  reduceOnly: z.boolean(),
  status: z.enum(['open', 'filled', 'canceled', 'expired']),
  filled: Whole,
  filledValue: Whole,
  createdAt: z.number(),
  updatedAt: z.number(),
})

const FillRow = z.object({
  id: z.number(),
  orderId: z.number(),
  symbol: z.string(),
  side: Side,
  price: Whole,
  quantity: Whole,
  value: Whole,
  fee: Whole,
  realized: Whole,
  maker: z.boolean(),
  at: z.number(),
})

const PositionRow = z.object({ quantity: Whole, cost: Whole, carried: Whole, updatedAt: z.number() })

const AccountRow = z.object({
  balances: z.record(z.string(), Whole),
  positions: z.record(z.string(), PositionRow),
  updatedAt: z.number(),
})

/** One line of the state file: an account as it is from here on, with the order and the fill that made it so. */
export const StateLine = z.object({
  apiKey: z.string(),
  secret: z.string().optional(),
  account: AccountRow.optional(),
  order: OrderRow.optional(),
  fill: FillRow.optional(),
})

export type StateLine = z.infer<typeof StateLine>

/** What a line says, before it is text. */
export type Change = Readonly<{
  apiKey: string
  secret?: string
  account?: Account
  order?: Order
  fill?: Fill
}>

/** A change as one line of text. */
export function writeLine({ apiKey, secret, account, order, fill }: Change): string {
  const row = { apiKey, secret, account: account && rowOf(account), order: order && withoutPast(order), fill }
  return `${JSON.stringify(row, (_key, value) => (typeof value === 'bigint' ? value.toString() : value))}\n`
}

/** The account a line holds. */
export function accountFrom({ balances, positions, updatedAt }: z.infer<typeof AccountRow>): Account {
  return {
    balances: new Map(Object.entries(balances)),
    positions: new Map<string, Position>(Object.entries(positions)),
    updatedAt,
  }
}

function rowOf({ balances, positions, updatedAt }: Account) {
  return { balances: Object.fromEntries(balances), positions: Object.fromEntries(positions), updatedAt }
}

function withoutPast(order: Order): Order {
  const { before: _before, ...now } = order
  return now
}
