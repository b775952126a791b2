/** A stretch of the message as it was received, in UTF-16 units. */
export interface Span {
  offset: number
  length: number
}

export type Side = 'buy' | 'sell'
export type PositionSide = 'long' | 'short' | 'both'
export type TimeInForce = 'gtc' | 'ioc' | 'fok'
export type Trigger = 'mark' | 'last' | 'index'

/** The unit of an amount's number. `percent` is the plain one, whose meaning hangs on the position. */
export type AmountBasis =
  | 'base'
  | 'percent'
  | 'percentEquity'
  | 'percentAvailable'
  | 'percentPosition'
  | 'quote'
  | 'asset'

/** A size as it was written; `value` is decimal text, negative only as a target position. */
export interface Amount {
  basis: AmountBasis
  value: string
  /** The coin, upper case, exactly when the basis is `asset`. */
  coin?: string
}

/**
 * The base of a price: `absolute` from nothing, `offset` from the market away from the side, `relative` from the market
 * in the chart's direction, `entry` from the average entry.
 */
export type PriceBasis = 'absolute' | 'offset' | 'relative' | 'entry'

/** A price as it was written; `value` is decimal text, negative only when `relative` or from `entry`. */
export interface Price {
  basis: PriceBasis
  value: string
  percent: boolean
}

/** Every parameter a command can have, by its canonical name. */
export const parameterNames = [
  'side',
  'amount',
  'position',
  'price',
  'limitPrice',
  'limitOffset',
  'sl',
  'tp',
  'slLimitOffset',
  'reduceOnly',
  'postOnly',
  'tif',
  'trigger',
  'slTrigger',
  'tpTrigger',
  'tpType',
  'positionSide',
  'tag',
  'which',
  'order',
  'asset',
  'duration',
  'leverage',
  'marginMode',
  'positionMode',
  'maxOrderSize',
  'mode',
  'onPartial',
] as const
export type ParameterName = (typeof parameterNames)[number]

/** The spans of every command: its own, and that of each parameter's value. */
interface Located {
  span: Span
  valueSpans: Partial<Record<ParameterName, Span>>
}

/** The size: a side and an amount, or a target position (then neither side nor amount). */
interface Sized {
  side?: Side
  amount?: Amount
  position?: Amount
}

/** The options of any order. */
interface OrderOptions {
  reduceOnly?: boolean
  positionSide?: PositionSide
  tag?: string
}

export interface MarketCommand extends Located, Sized, OrderOptions {
  type: 'market'
}

export interface LimitCommand extends Located, Sized, OrderOptions {
  type: 'limit'
  price: Price
  postOnly?: boolean
  tif?: TimeInForce
}

export interface StopOrderCommand extends Located, Sized, OrderOptions {
  type: 'stopOrder'
  /** The trigger price. */
  price: Price
  /** Either of these makes it a stop-limit; the offset is measured from the trigger price. */
  limitPrice?: Price
  limitOffset?: Price
  trigger?: Trigger
  tif?: TimeInForce
}

export interface StopOrTakeProfitCommand extends Located, Sized, OrderOptions {
  type: 'stopOrTakeProfit'
  sl?: Price
  tp?: Price
  slTrigger?: Trigger
  tpTrigger?: Trigger
  trigger?: Trigger
  tpType?: 'limit' | 'market'
  slLimitOffset?: Price
}

/** An order that may stand in an `oco { ... }`. */
export type LegCommand = LimitCommand | StopOrderCommand

export interface OneCancelsOtherCommand extends Located {
  type: 'oneCancelsOther'
  legs: LegCommand[]
  tag?: string
  mode?: 'cancel' | 'reduce'
  onPartial?: 'reduce' | 'cancel' | 'keep'
}

/** `which` is always there: `all` where nothing was written, `tagged` where only a tag was, `order` where an id was. */
export interface CancelCommand extends Located {
  type: 'cancel'
  which: 'all' | 'buy' | 'sell' | 'limit' | 'stop' | 'tagged' | 'session' | 'order'
  tag?: string
  /** The id of an order, as the venue or we named it. */
  order?: string
}

export interface BalanceCommand extends Located {
  type: 'balance'
  /** A coin, upper case. */
  asset?: string
}

export interface WaitCommand extends Located {
  type: 'wait'
  durationMs: number
}

export interface ExchangeSettingsCommand extends Located {
  type: 'exchangeSettings'
  /** A decimal text of at least 1. */
  leverage?: string
  marginMode?: 'cross' | 'isolated'
  positionMode?: 'oneWay' | 'hedge'
  maxOrderSize?: Amount
}

export type Command =
  | MarketCommand
  | LimitCommand
  | StopOrderCommand
  | StopOrTakeProfitCommand
  | OneCancelsOtherCommand
  | CancelCommand
  | BalanceCommand
  | WaitCommand
  | ExchangeSettingsCommand

export type CommandType = Command['type']

/** One block of a message: the commands for one bot and symbol, in the order they run. */
export interface Block {
  /** As the user's list of bots spells it. */
  label: string
  labelSpan: Span
  /** The venue's spelling, such as `BTCUSDT`. */
  symbol: string
  symbolSpan: Span
  /** The text said that a perpetual is meant, as `.P` does. */
  perp: boolean
  span: Span
  commands: Command[]
}
