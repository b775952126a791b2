import { z } from 'zod'
import { DecimalText } from './decimal.ts'
import { ExchangeMarket } from './exchange.ts'

const Warning = z.object({ code: z.string(), text: z.string() })

/** One order that a command would come to now, in the steps and ticks of its market. */
export const PlannedOrder = z.object({
  type: z.enum(['market', 'limit', 'stop', 'stopLimit', 'takeProfit', 'takeProfitLimit']),
  side: z.enum(['buy', 'sell']),
  quantity: DecimalText.describe('base units; 0 where quote_quantity says what is spent'),
  quote_quantity: DecimalText.optional(),
  price: DecimalText.optional(),
  trigger_price: DecimalText.optional(),
  trigger: z.enum(['mark', 'last', 'index']).optional(),
  time_in_force: z.enum(['gtc', 'ioc', 'fok', 'postOnly']).optional(),
  reduce_only: z.boolean(),
  position_side: z.enum(['both', 'long', 'short']),
  sizing: z.string().describe('the basis and the arithmetic of the size'),
  pricing: z.string().optional().describe('the arithmetic of the price'),
  warnings: z.array(Warning),
})
export type PlannedOrder = z.infer<typeof PlannedOrder>

/** An open order that a cancel would end. */
const PlannedCancel = z.object({
  client_order_id: z.string(),
  side: z.enum(['buy', 'sell']),
  type: z.string(),
  amount: DecimalText,
  price: DecimalText.nullable().describe('the limit, or else the trigger'),
})

/** Orders of which one ends the others, and who would see to that. */
const PlannedGroup = z.object({
  kept_by: z.enum(['venue', 'executor']),
  mode: z.enum(['cancel', 'reduce']),
  on_partial: z.enum(['reduce', 'cancel', 'keep']),
})

/** The sizes that a market takes, and its present price. */
export const PlannedMarket = z.object({
  base: z.string(),
  quote: z.string(),
  quantity_step: DecimalText,
  min_quantity: DecimalText,
  max_quantity: DecimalText,
  price_tick: DecimalText,
  min_value: DecimalText,
  bid: DecimalText,
  ask: DecimalText,
  mark: DecimalText,
})
export type PlannedMarket = z.infer<typeof PlannedMarket>

/**
 * The present plan of one command: place `orders`, do `nothing`, be `refused`, be `skipped` behind a refusal, or do
 * something other than placing orders (`acts`), which the note says.
 */
export const PlannedCommand = z.object({
  command: z.string(),
  outcome: z.enum(['orders', 'nothing', 'refused', 'skipped', 'acts']),
  orders: z.array(PlannedOrder),
  group: PlannedGroup.nullable().describe('where one of several orders ends the others'),
  cancels: z.array(PlannedCancel),
  note: z.string().nullable(),
  error_code: z.string().nullable(),
  error: z.string().nullable(),
})
export type PlannedCommand = z.infer<typeof PlannedCommand>

/**
 * The present plan of a block; `unknown` where the executor or the exchange could not be asked, and the error says why.
 */
export const BlockPlan = z.object({
  label: z.string(),
  symbol: z.string(),
  exchange: ExchangeMarket.nullable(),
  market: PlannedMarket.nullable(),
  outcome: z.enum(['planned', 'refused', 'unknown']),
  commands: z.array(PlannedCommand),
  error_code: z.string().nullable(),
  error: z.string().nullable(),
})
export type BlockPlan = z.infer<typeof BlockPlan>
