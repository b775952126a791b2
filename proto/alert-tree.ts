import { z } from 'zod'
import { DecimalText } from './decimal.ts'
import type * as tree from './language/tree.ts'
import { parameterNames } from './language/tree.ts'

const Span = z.object({ offset: z.int().nonnegative(), length: z.int().nonnegative() })

const Amount = z.object({
  basis: z.enum([
    'base',
    'percent',
    'percentEquity',
    'percentAvailable',
    'percentPosition',
    'quote',
    'asset',
  ]),
  value: DecimalText,
  coin: z.string().exactOptional(),
}) satisfies z.ZodType<tree.Amount>

const Price = z.object({
  basis: z.enum(['absolute', 'offset', 'relative', 'entry']),
  value: DecimalText,
  percent: z.boolean(),
}) satisfies z.ZodType<tree.Price>

const Trigger = z.enum(['mark', 'last', 'index'])
const TimeInForce = z.enum(['gtc', 'ioc', 'fok'])

const located = {
  span: Span,
  valueSpans: z.partialRecord(z.enum(parameterNames), Span),
}

const order = {
  ...located,
  side: z.enum(['buy', 'sell']).exactOptional(),
  amount: Amount.exactOptional(),
  position: Amount.exactOptional(),
  reduceOnly: z.boolean().exactOptional(),
  positionSide: z.enum(['long', 'short', 'both']).exactOptional(),
  tag: z.string().exactOptional(),
}

const MarketCommand = z.object({ type: z.literal('market'), ...order })

const LimitCommand = z.object({
  type: z.literal('limit'),
  ...order,
  price: Price,
  postOnly: z.boolean().exactOptional(),
  tif: TimeInForce.exactOptional(),
})

const StopOrderCommand = z.object({
  type: z.literal('stopOrder'),
  ...order,
  price: Price,
  limitPrice: Price.exactOptional(),
  limitOffset: Price.exactOptional(),
  trigger: Trigger.exactOptional(),
  tif: TimeInForce.exactOptional(),
})

const StopOrTakeProfitCommand = z.object({
  type: z.literal('stopOrTakeProfit'),
  ...order,
  sl: Price.exactOptional(),
  tp: Price.exactOptional(),
  slTrigger: Trigger.exactOptional(),
  tpTrigger: Trigger.exactOptional(),
  trigger: Trigger.exactOptional(),
  tpType: z.enum(['limit', 'market']).exactOptional(),
  slLimitOffset: Price.exactOptional(),
})

const OneCancelsOtherCommand = z.object({
  type: z.literal('oneCancelsOther'),
  ...located,
  legs: z.array(z.discriminatedUnion('type', [LimitCommand, StopOrderCommand])),
  tag: z.string().exactOptional(),
  mode: z.enum(['cancel', 'reduce']).exactOptional(),
  onPartial: z.enum(['reduce', 'cancel', 'keep']).exactOptional(),
})

const CancelCommand = z.object({
  type: z.literal('cancel'),
  ...located,
  which: z.enum(['all', 'buy', 'sell', 'limit', 'stop', 'tagged', 'session', 'order']),
  tag: z.string().exactOptional(),
  order: z.string().exactOptional(),
})

const BalanceCommand = z.object({
  type: z.literal('balance'),
  ...located,
  asset: z.string().exactOptional(),
})

const WaitCommand = z.object({ type: z.literal('wait'), ...located, durationMs: z.int().nonnegative() })

const ExchangeSettingsCommand = z.object({
  type: z.literal('exchangeSettings'),
  ...located,
  leverage: DecimalText.exactOptional(),
  marginMode: z.enum(['cross', 'isolated']).exactOptional(),
  positionMode: z.enum(['oneWay', 'hedge']).exactOptional(),
  maxOrderSize: Amount.exactOptional(),
})

/** One command as it travels, the language's own tree. */
export const Command = z.discriminatedUnion('type', [
  MarketCommand,
  LimitCommand,
  StopOrderCommand,
  StopOrTakeProfitCommand,
  OneCancelsOtherCommand,
  CancelCommand,
  BalanceCommand,
  WaitCommand,
  ExchangeSettingsCommand,
]) satisfies z.ZodType<tree.Command>
export type Command = z.infer<typeof Command>

/** One block as it travels, the language's own tree. */
export const Block = z.object({
  label: z.string(),
  labelSpan: Span,
  symbol: z.string(),
  symbolSpan: Span,
  perp: z.boolean(),
  span: Span,
  commands: z.array(Command).min(1),
}) satisfies z.ZodType<tree.Block>
export type Block = z.infer<typeof Block>
