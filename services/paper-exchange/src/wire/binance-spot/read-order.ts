import { power } from '../../domain/fixed.ts'
import { type Market, VALUE_SCALE, valueAt } from '../../domain/market.ts'
import type { OrderRequest, Side, TimeInForce } from '../../domain/order.ts'
import type { Trailing, Trigger } from '../../domain/trigger.ts'
import { notRequired, VenueError } from '../binance/errors.ts'
import type { Params } from '../params.ts'
import { newClientId } from './client-id.ts'
import {
  needAmount,
  needWord,
  readAmount,
  readClientId,
  readMarket,
  readWhole,
  readWord,
} from './read-params.ts'

/** The kinds of order the venue has, in its own words. */
export type TypeWord = keyof typeof TYPES

/** The parts of a kind of order. */
type Kind = Readonly<{
  execution: OrderRequest['type']
  /** Conditional orders wake on a price that hurts (stop) or helps (profit). */
  wakes?: 'stop' | 'profit'
  needsPrice?: boolean
  needsTimeInForce?: boolean
  postOnly?: boolean
}>

const TYPES = {
  LIMIT: { execution: 'limit', needsPrice: true, needsTimeInForce: true },
  MARKET: { execution: 'market' },
  LIMIT_MAKER: { execution: 'limit', needsPrice: true, postOnly: true },
  STOP_LOSS: { execution: 'market', wakes: 'stop' },
  STOP_LOSS_LIMIT: { execution: 'limit', wakes: 'stop', needsPrice: true, needsTimeInForce: true },
  TAKE_PROFIT: { execution: 'market', wakes: 'profit' },
  TAKE_PROFIT_LIMIT: { execution: 'limit', wakes: 'profit', needsPrice: true, needsTimeInForce: true },
} as const satisfies Readonly<Record<string, Kind>>

const TYPE_WORDS = Object.fromEntries(Object.keys(TYPES).map((word) => [word, word as TypeWord]))
const SIDES: Readonly<Record<string, Side>> = { BUY: 'buy', SELL: 'sell' }
const TIMES_IN_FORCE: Readonly<Record<string, TimeInForce>> = { GTC: 'gtc', IOC: 'ioc', FOK: 'fok' }
const SELF_TRADE = { EXPIRE_MAKER: true }

/** The orders the venue lets a market have, in the order it lists them. */
export const ORDER_TYPES: readonly string[] = Object.keys(TYPES)

/** The most that a limit order may be worth. */
export const MAX_NOTIONAL = 9_000_000n * power(VALUE_SCALE)

/** The distances that a trailing order may have from the market, in parts of 10,000. */
export const MIN_TRAILING_BIPS = 10
export const MAX_TRAILING_BIPS = 2_000
const FIRST_STRATEGY_TYPE = 1_000_000

/** The parameters that describe one order. */
export const ORDER_PARAMS = [
  'symbol',
  'side',
  'type',
  'timeInForce',
  'quantity',
  'quoteOrderQty',
  'price',
  'newClientOrderId',
  'strategyId',
  'strategyType',
  'stopPrice',
  'trailingDelta',
  'icebergQty',
  'newOrderRespType',
  'selfTradePreventionMode',
]

/** The side of an order. */
export function readSide(params: Params): Side {
  return needWord(params, 'side', SIDES, () => new VenueError(-1117, 'Invalid side.'))
}

/** The kind of an order, in the venue's word. */
export function readType(params: Params, name = 'type'): TypeWord {
  return needWord(params, name, TYPE_WORDS, () => new VenueError(-1116, 'Invalid orderType.'))
}

/** The order a request asks for, or the venue's error for what it cannot read. */
export function readOrder(params: Params): OrderRequest {
  const market = readMarket(params)
  const side = readSide(params)
  const type = readType(params)
  refuseSurplus(params, type)
  return readLeg(market, side, type, params)
}

/** An order of a market whose side and kind are known; the parameters have their usual names. */
export function readLeg(market: Market, side: Side, type: TypeWord, params: Params): OrderRequest {
  const kind: Kind = TYPES[type]
  const amount = readSize(market, type, params)
  const price = kind.needsPrice ? toPrice(market, needAmount(params, 'price'), 'price') : 0n
  // A quantity above the most fails a filter that comes first.
  if (amount.quantity <= market.maxQuantity && valueAt(market, amount.quantity, price) > MAX_NOTIONAL)
    throw new VenueError(-1013, 'Filter failure: NOTIONAL')
  const trigger = kind.wakes && readTrigger(market, side, kind.wakes, params)
  refuseIceberg(params)
  readWord(params, 'selfTradePreventionMode', SELF_TRADE)
  return {
    market: market.id,
    clientOrderId: readClientId(params, 'newClientOrderId') ?? newClientId(),
    side,
    type: kind.execution,
    timeInForce: readTimeInForce(params, kind),
    ...amount,
    price,
    reduceOnly: false,
    positionSide: 'net',
    ...(trigger && { trigger }),
    words: {
      type,
      ...readStrategy(params),
      ...(trigger?.trailing && { trailingDelta: `${params.get('trailingDelta')}` }),
    },
  }
}

/** Refuses what does not belong to this kind of order. */
export function refuseSurplus(params: Params, type: TypeWord): void {
  const kind: Kind = TYPES[type]
  const surplus = [
    ...(kind.needsPrice ? [] : ['price']),
    ...(kind.needsTimeInForce ? [] : ['timeInForce']),
    ...(kind.wakes ? [] : ['stopPrice', 'trailingDelta']),
    ...(type === 'MARKET' ? [] : ['quoteOrderQty']),
  ].find((name) => params.has(name))
  if (surplus !== undefined) throw notRequired(surplus)
}

function readSize(
  market: Market,
  type: TypeWord,
  params: Params,
): Pick<OrderRequest, 'quantity' | 'quoteQuantity'> {
  const byValue = type === 'MARKET' ? readAmount(params, 'quoteOrderQty') : undefined
  if (byValue === undefined) {
    if (type === 'MARKET' && !params.get('quantity')) throw eitherMissing('quantity', 'quoteOrderQty')
    return { quantity: toQuantity(market, needAmount(params, 'quantity')) }
  }
  if (params.has('quantity')) throw notRequired('quoteOrderQty')
  if (byValue === 0n) throw new VenueError(-1013, 'Invalid quote order qty.')
  return { quantity: 0n, quoteQuantity: byValue }
}

function readTimeInForce(params: Params, kind: Kind): TimeInForce {
  if (kind.postOnly) return 'postOnly'
  if (!kind.needsTimeInForce) return 'gtc'
  return needWord(params, 'timeInForce', TIMES_IN_FORCE, () => new VenueError(-1115, 'Invalid timeInForce.'))
}

function readTrigger(market: Market, side: Side, wakes: 'stop' | 'profit', params: Params): Trigger {
  const stopPrice = readAmount(params, 'stopPrice')
  const bips = readWhole(params, 'trailingDelta')
  const price = stopPrice === undefined ? undefined : toPrice(market, stopPrice, 'stopPrice')
  const when = (side === 'buy') === (wakes === 'stop') ? 'rises' : 'falls'
  if (bips === undefined) {
    if (price === undefined) throw eitherMissing('stopPrice', 'trailingDelta')
    return { by: 'last', when, price }
  }
  return { by: 'last', when, price: 0n, trailing: trailingOf(bips, price) }
}

function trailingOf(bips: number, activation: bigint | undefined): Trailing {
  if (bips < MIN_TRAILING_BIPS || bips > MAX_TRAILING_BIPS)
    throw new VenueError(-1013, 'Filter failure: TRAILING_DELTA')
  const callback = { rate: BigInt(bips) * 100n }
  return activation === undefined ? { callback } : { callback, activation }
}

function refuseIceberg(params: Params): void {
  if (readAmount(params, 'icebergQty') !== undefined)
    throw new VenueError(-2010, 'Iceberg orders are not supported for this symbol.')
}

function readStrategy(params: Params): Record<string, string> {
  const id = readWhole(params, 'strategyId')
  const type = readWhole(params, 'strategyType')
  if (type !== undefined && type < FIRST_STRATEGY_TYPE)
    throw new VenueError(-1134, 'strategyType was less than 1000000.')
  return {
    ...(id !== undefined && { strategyId: `${id}` }),
    ...(type !== undefined && { strategyType: `${type}` }),
  }
}

/** Two parameters of which one must be there are both missing. */
export function eitherMissing(one: string, other: string): VenueError {
  return new VenueError(-1102, `Param '${one}' or '${other}' must be sent, but both were empty/null!`)
}

// Coins have eight places, markets fewer: what lies between them is the filters' business.
function toPrice(market: Market, fine: bigint, name: string): bigint {
  if (fine === 0n) throw new VenueError(-1013, `Invalid ${name}.`)
  const unit = power(VALUE_SCALE - market.pricePrecision)
  if (fine % unit !== 0n) throw new VenueError(-1013, 'Filter failure: PRICE_FILTER')
  return fine / unit
}

function toQuantity(market: Market, fine: bigint): bigint {
  const unit = power(VALUE_SCALE - market.quantityPrecision)
  if (fine % unit !== 0n) throw new VenueError(-1013, 'Filter failure: LOT_SIZE')
  return fine / unit
}

/** The detail of the answer to a new order. */
export type Detail = 'ACK' | 'RESULT' | 'FULL'

const DETAILS: Readonly<Record<string, Detail>> = { ACK: 'ACK', RESULT: 'RESULT', FULL: 'FULL' }

/** Returns the detail of the answer: everything of market and limit orders, unless the request says otherwise. */
export function readDetail(params: Params, type: string | undefined): Detail {
  const usual = type === 'MARKET' || type === 'LIMIT' ? 'FULL' : 'ACK'
  return readWord(params, 'newOrderRespType', DETAILS) ?? usual
}
