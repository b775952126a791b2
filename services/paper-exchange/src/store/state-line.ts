import { z } from 'zod'
import type { Account, Settings, Terms } from '../domain/account.ts'
import type { Bracket } from '../domain/bracket.ts'
import type { Funding } from '../domain/funding.ts'
import type { Market, MarketId } from '../domain/market.ts'
import type { Fill, Order, OrderList } from '../domain/order.ts'

const Whole = z
  .string()
  .regex(/^-?\d+$/)
  .transform(BigInt)
const Id = z.string().transform((text) => text as MarketId)
const byMarket = <Value>(rows: Record<string, Value>) => new Map(Object.entries(rows)) as Map<MarketId, Value>
const Side = z.enum(['buy', 'sell'])
const PositionSide = z.enum(['net', 'long', 'short'])
const MarginMode = z.enum(['cross', 'isolated'])
const TriggerBy = z.enum(['last', 'mark', 'index'])
const Venue = z.enum([
  'binance-spot',
  'binance-futures',
  'bybit-spot',
  'bybit-linear',
  'okx-spot',
  'okx-linear',
])

const Callback = z.union([z.object({ rate: Whole }), z.object({ distance: Whole })])
const Trailing = z.object({
  callback: Callback,
  activation: Whole.exactOptional(),
  extreme: Whole.exactOptional(),
})
const Trigger = z.object({
  by: TriggerBy,
  when: z.enum(['rises', 'falls']),
  price: Whole,
  trailing: Trailing.exactOptional(),
})
const Mode = z.enum(['full', 'partial'])
const Leg = z.object({
  by: TriggerBy,
  price: Whole,
  limitPrice: Whole.exactOptional(),
  quantity: Whole.exactOptional(),
})
const Attached = z.object({ mode: Mode, takeProfit: Leg.exactOptional(), stopLoss: Leg.exactOptional() })
const ProtectionPart = z.object({ part: z.enum(['takeProfit', 'stopLoss', 'trailing']), mode: Mode })

const EndReason = z.enum([
  'user',
  'timeInForce',
  'noLiquidity',
  'selfTrade',
  'reduceOnly',
  'positionClosed',
  'sibling',
  'margin',
  'refused',
  'liquidation',
  'reset',
])

const OrderRow = z.object({
  id: z.number(),
  market: Id,
  clientOrderId: z.string(),
  side: Side,
  type: z.enum(['market', 'limit']),
  timeInForce: z.enum(['gtc', 'ioc', 'fok', 'postOnly']),
  quantity: Whole,
  quoteQuantity: Whole.exactOptional(),
  price: Whole,
  reduceOnly: z.boolean(),
  positionSide: PositionSide,
  closePosition: z.boolean().exactOptional(),
  trigger: Trigger.exactOptional(),
  attached: Attached.exactOptional(),
  origin: z.enum(['user', 'protection', 'liquidation', 'algo']).exactOptional(),
  protection: ProtectionPart.exactOptional(),
  holdsFunds: z.boolean().exactOptional(),
  words: z.record(z.string(), z.string()).exactOptional(),
  status: z.enum(['untriggered', 'triggered', 'open', 'filled', 'canceled', 'expired', 'rejected']),
  filled: Whole,
  filledValue: Whole,
  createdAt: z.number(),
  updatedAt: z.number(),
  endReason: EndReason.exactOptional(),
  isTriggered: z.boolean().exactOptional(),
  triggeredAt: z.number().exactOptional(),
  listId: z.number().exactOptional(),
  siblingId: z.number().exactOptional(),
  covered: Whole.exactOptional(),
  parentId: z.number().exactOptional(),
  childId: z.number().exactOptional(),
  rank: z.number().exactOptional(),
})

const FillRow = z.object({
  id: z.number(),
  orderId: z.number(),
  market: Id,
  side: Side,
  positionSide: PositionSide,
  price: Whole,
  quantity: Whole,
  value: Whole,
  fee: Whole,
  feeAsset: z.string(),
  realized: Whole,
  maker: z.boolean(),
  at: z.number(),
})

const FundingRow = z.object({
  id: z.number(),
  market: Id,
  side: PositionSide,
  quantity: Whole,
  mark: Whole,
  rate: Whole,
  value: Whole,
  paid: Whole,
  at: z.number(),
})

const ListRow = z.object({
  id: z.number(),
  market: Id,
  clientListId: z.string(),
  orderIds: z.array(z.number()),
  status: z.enum(['executing', 'done']),
  createdAt: z.number(),
  updatedAt: z.number(),
})

const PositionRow = z.object({
  market: Id,
  side: PositionSide,
  quantity: Whole,
  cost: Whole,
  carried: Whole,
  marginMode: MarginMode,
  margin: Whole,
  openedAt: z.number(),
  updatedAt: z.number(),
})

const TermsRow = z.object({
  readLagMs: z.number().exactOptional(),
  bnbFees: z.object({ spot: z.boolean(), futures: z.boolean() }).exactOptional(),
  meanPrices: z.boolean().exactOptional(),
  multiAssets: z.boolean().exactOptional(),
  credits: z.boolean().exactOptional(),
  positionSeq: z.enum(['none', 'unknown']).exactOptional(),
}) satisfies z.ZodType<Terms>

const SettingsRow = z.object({
  terms: TermsRow.exactOptional(),
  leverage: z.record(z.string(), z.number()),
  marginMode: z.record(z.string(), MarginMode),
  positionMode: z.record(z.string(), z.enum(['one-way', 'hedge'])),
})

const EntryRow = z.object({
  apiKey: z.string(),
  /** Only where the account is new. */
  secret: z.string().optional(),
  /** Changes of balances and positions; null took one away. */
  balances: z.record(z.string(), Whole.nullable()).optional(),
  positions: z.record(z.string(), PositionRow.nullable()).optional(),
  settings: SettingsRow.optional(),
  updatedAt: z.number(),
  orders: z.array(OrderRow).optional(),
  lists: z.array(ListRow).optional(),
  fills: z.array(FillRow).optional(),
  fundings: z.array(FundingRow).optional(),
  /** Client order ids of forgotten orders that may never be used again. */
  used: z.array(z.string()).optional(),
})

export type EntryRow = z.infer<typeof EntryRow>

const PricesRow = z.object({
  bid: Whole,
  ask: Whole,
  last: Whole.exactOptional(),
  mark: Whole.exactOptional(),
  index: Whole.exactOptional(),
})

const QuotesRow = z.object({
  step: z.number().exactOptional(),
  coins: z.record(z.string(), z.object({ price: Whole, random: z.number() })).exactOptional(),
  pinned: z
    .record(
      z.string(),
      PricesRow.nullable().transform((prices) => prices ?? undefined),
    )
    .exactOptional(),
  lasts: z.record(z.string(), Whole).exactOptional(),
  fundingRates: z.record(z.string(), Whole).exactOptional(),
})

const BracketRow = z.object({
  leverage: z.number(),
  floor: Whole,
  cap: Whole,
  maintenance: Whole,
  deduction: Whole,
}) satisfies z.ZodType<Bracket>

const MarketRow = z.object({
  id: Id,
  venue: Venue,
  kind: z.enum(['spot', 'linear']),
  symbol: z.string(),
  base: z.string(),
  quote: z.string(),
  pricePrecision: z.number(),
  quantityPrecision: z.number(),
  tick: Whole,
  minPrice: Whole,
  maxPrice: Whole,
  step: Whole,
  minQuantity: Whole,
  maxQuantity: Whole,
  maxMarketQuantity: Whole,
  minNotional: Whole,
  band: z.object({ up: Whole, down: Whole }),
  maxOrders: z.number(),
  maxConditionalOrders: z.number(),
  makerFee: Whole,
  takerFee: Whole,
  brackets: z.array(BracketRow),
  liquidationFee: Whole,
  bid: Whole,
  ask: Whole,
}) satisfies z.ZodType<Market>

/** One line of the state file: all that one call changed. */
export const StateLine = z.object({
  market: MarketRow.optional(),
  quotes: QuotesRow.optional(),
  entries: z.array(EntryRow).optional(),
  /** The last ids given out, where the orders that had them are forgotten. */
  counters: z
    .object({
      lastOrderId: z.number(),
      lastFillId: z.number(),
      lastListId: z.number(),
      lastRank: z.number(),
    })
    .optional(),
})

export type StateLine = z.infer<typeof StateLine>

/** The part of a line about one account, before it is text. */
export type EntryLine = Readonly<{
  apiKey: string
  secret?: string | undefined
  account: Account
  /** The state that is known already; without it all of the account is written. */
  before?: Account | undefined
  orders?: readonly Order[]
  lists?: readonly OrderList[]
  fills?: readonly Fill[]
  fundings?: readonly Funding[]
  used?: readonly string[]
}>

/** Returns the part of a line about one account. */
export function entryRow({
  apiKey,
  secret,
  account,
  before,
  orders,
  lists,
  fills,
  fundings,
  used,
}: EntryLine) {
  return {
    apiKey,
    secret,
    ...accountRow(account, before),
    updatedAt: account.updatedAt,
    orders: orders?.length ? orders.map(withoutPast) : undefined,
    lists: lists?.length ? lists : undefined,
    fills: fills?.length ? fills : undefined,
    fundings: fundings?.length ? fundings : undefined,
    used: used?.length ? used : undefined,
  }
}

function accountRow(account: Account, before: Account | undefined) {
  if (account === before) return {}
  return {
    balances: changed(account.balances, before?.balances),
    positions: changed(account.positions, before?.positions),
    settings: account.settings === before?.settings ? undefined : settingsRow(account.settings),
  }
}

function settingsRow({ leverage, marginMode, positionMode, ...rest }: Settings) {
  return {
    ...rest,
    leverage: Object.fromEntries(leverage),
    marginMode: Object.fromEntries(marginMode),
    positionMode: Object.fromEntries(positionMode),
  }
}

function settingsFrom({
  leverage,
  marginMode,
  positionMode,
  ...rest
}: z.infer<typeof SettingsRow>): Settings {
  return {
    ...rest,
    leverage: byMarket(leverage),
    marginMode: byMarket(marginMode),
    positionMode: byMarket(positionMode),
  }
}

function changed<Key extends string, Value>(
  now: ReadonlyMap<Key, Value>,
  before: ReadonlyMap<Key, Value> | undefined,
): Record<string, Value | null> {
  const rows: Record<string, Value | null> = {}
  for (const key of before?.keys() ?? []) if (!now.has(key)) rows[key] = null
  for (const [key, value] of now) if (before?.get(key) !== value) rows[key] = value
  return rows
}

function withoutPast(order: Order) {
  const { before: _before, ...now } = order
  return now
}

/** A line as text. */
export function writeLine(line: object): string {
  return `${JSON.stringify(line, (_key, value) => (typeof value === 'bigint' ? value.toString() : value))}\n`
}

/** The account as a line changes it. */
export function accountFrom(
  before: Account,
  { balances, positions, settings, updatedAt }: EntryRow,
): Account {
  return {
    balances: applied(before.balances, balances),
    positions: applied(before.positions, positions),
    settings: settings ? settingsFrom(settings) : before.settings,
    updatedAt,
  }
}

function applied<Key extends string, Value>(
  before: ReadonlyMap<Key, Value>,
  rows: Readonly<Record<string, Value | null>> = {},
): ReadonlyMap<Key, Value> {
  const after = new Map(before)
  for (const [key, value] of Object.entries(rows)) {
    if (value === null) after.delete(key as Key)
    else after.set(key as Key, value)
  }
  return after
}
