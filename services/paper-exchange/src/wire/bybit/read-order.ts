import { type Market, VALUE_SCALE } from '../../domain/market.ts'
import type {
  Attached,
  OrderRequest,
  OrderType,
  PositionSide,
  ProtectiveLeg,
  Side,
  TimeInForce,
} from '../../domain/order.ts'
import type { Quote } from '../../domain/quote.ts'
import type { Trigger, TriggerBy } from '../../domain/trigger.ts'
import { BybitError, paramsError } from './errors.ts'
import { choiceIn, decimalIn, type Fields, flagIn, textIn, wholeIn } from './fields.ts'

const CLIENT_ID = /^[A-Za-z0-9_-]{1,36}$/
const SIDES: Readonly<Record<string, Side>> = { Buy: 'buy', Sell: 'sell' }
const TYPES: Readonly<Record<string, OrderType>> = { Market: 'market', Limit: 'limit' }
const TIMES_IN_FORCE: Readonly<Record<string, TimeInForce>> = {
  GTC: 'gtc',
  IOC: 'ioc',
  FOK: 'fok',
  PostOnly: 'postOnly',
}
const SOURCES: Readonly<Record<string, TriggerBy>> = {
  LastPrice: 'last',
  MarkPrice: 'mark',
  IndexPrice: 'index',
}
const POSITION_SIDES: readonly PositionSide[] = ['net', 'long', 'short']

/** The venue's names of the price that a trigger watches. */
export const SOURCE_TEXTS: Readonly<Record<TriggerBy, string>> = {
  last: 'LastPrice',
  mark: 'MarkPrice',
  index: 'IndexPrice',
}

/** The order a request asks for, or the venue's error for what it cannot read. */
export function readOrder(market: Market, fields: Fields, quote: Quote): OrderRequest {
  const side = known(market, fields, 'side', SIDES, 170117, 'Invalid side.')
  const type = known(market, fields, 'orderType', TYPES, 170116, 'Invalid orderType.')
  const trigger = readTrigger(market, fields, quote)
  const attached = readAttached(market, fields)
  const reduceOnly = market.kind === 'linear' && flagIn(fields, 'reduceOnly')
  if (reduceOnly && attached) throw new BybitError(110057, 'Reduce-only orders cannot set TP/SL')
  if (attached && market.kind === 'spot' && type === 'market') throw spotInvalid('takeProfit')
  return {
    market: market.id,
    clientOrderId: readClientOrderId(fields),
    side,
    type,
    timeInForce: type === 'market' ? 'ioc' : readTimeInForce(market, fields),
    ...readSize(market, fields, side, type, trigger),
    price: type === 'limit' ? readPrice(market, fields, 'price') : 0n,
    reduceOnly,
    positionSide: market.kind === 'linear' ? readPositionSide(fields) : 'net',
    ...(trigger && { trigger }),
    ...(trigger && market.kind === 'spot' && { holdsFunds: fields['orderFilter'] === 'tpslOrder' }),
    ...(attached && { attached }),
    origin: 'user',
    words: wordsIn(market, fields, quote),
  }
}

function wordsIn(market: Market, fields: Fields, quote: Quote): Record<string, string> {
  const words: Record<string, string> = { lastPrice: String(quote.last) }
  if (flagIn(fields, 'closeOnTrigger')) words['closeOnTrigger'] = 'true'
  if (market.kind === 'linear') return words
  words['orderFilter'] = choiceIn(fields, 'orderFilter', ['Order', 'StopOrder', 'tpslOrder']) ?? 'Order'
  words['marketUnit'] = choiceIn(fields, 'marketUnit', ['baseCoin', 'quoteCoin']) ?? ''
  return words
}

// Linear has one code for all that it cannot read, spot one for each.
function known<Value>(
  market: Market,
  fields: Fields,
  name: string,
  values: Readonly<Record<string, Value>>,
  code: number,
  message: string,
): Value {
  const text = textIn(fields, name)
  const value = text !== undefined && Object.hasOwn(values, text) ? values[text] : undefined
  if (value !== undefined) return value
  throw market.kind === 'spot' ? new BybitError(code, message) : paramsError(name)
}

function spotInvalid(name: string): BybitError {
  return new BybitError(170130, `Data sent for paramter '${name}' is not valid.`)
}

function readTimeInForce(market: Market, fields: Fields): TimeInForce {
  if (textIn(fields, 'timeInForce') === undefined) return 'gtc'
  return known(market, fields, 'timeInForce', TIMES_IN_FORCE, 170115, 'Invalid timeInForce.')
}

/** Which position a request is about; the only one where it does not say. */
export function readPositionSide(fields: Fields): PositionSide {
  const side = POSITION_SIDES[wholeIn(fields, 'positionIdx') ?? 0]
  if (side === undefined) throw paramsError('positionIdx')
  return side
}

/** The number by which the venue names a position of a market. */
export function positionIdxOf(side: PositionSide): number {
  return POSITION_SIDES.indexOf(side)
}

function readClientOrderId(fields: Fields): string {
  const id = textIn(fields, 'orderLinkId') ?? ''
  if (id !== '' && !CLIENT_ID.test(id)) throw paramsError('OrderLinkedID')
  return id
}

type Size = Pick<OrderRequest, 'quantity' | 'quoteQuantity' | 'closePosition'>

function readSize(
  market: Market,
  fields: Fields,
  side: Side,
  type: OrderType,
  trigger: Trigger | undefined,
): Size {
  const text = textIn(fields, 'qty')
  const isSpot = market.kind === 'spot'
  const wrong = isSpot ? spotInvalid('qty') : new BybitError(10001, 'Qty invalid')
  if (text === undefined) throw wrong
  const closesAll = !isSpot && flagIn(fields, 'reduceOnly') && flagIn(fields, 'closeOnTrigger')
  if (closesAll && trigger && /^0(\.0*)?$/.test(text)) return { quantity: 0n, closePosition: true }
  const unit = textIn(fields, 'marketUnit') ?? (side === 'buy' ? 'quoteCoin' : 'baseCoin')
  if (isSpot && type === 'market' && unit === 'quoteCoin') {
    const tooFine = new BybitError(170148, 'Market order amount decimal too long')
    return { quantity: 0n, quoteQuantity: decimalIn(text, VALUE_SCALE, wrong, tooFine) }
  }
  const tooFine = isSpot ? new BybitError(170137, 'Order volume decimal too long') : wrong
  return { quantity: decimalIn(text, market.quantityPrecision, wrong, tooFine) }
}

function readPrice(market: Market, fields: Fields, name: string): bigint {
  const text = textIn(fields, name)
  const wrong = market.kind === 'spot' ? spotInvalid(name) : paramsError(name)
  if (text === undefined) throw wrong
  return decimalIn(text, market.pricePrecision, wrong, tooFinePrice(market, wrong))
}

function tooFinePrice(market: Market, wrong: BybitError): BybitError {
  return market.kind === 'spot' ? new BybitError(170134, 'Order price decimal too long.') : wrong
}

/** A quantity of the market, undefined where it is absent. */
export function readQuantity(market: Market, fields: Fields, name: string): bigint | undefined {
  const text = textIn(fields, name)
  if (text === undefined) return undefined
  const wrong = market.kind === 'spot' ? spotInvalid(name) : new BybitError(10001, 'Qty invalid')
  return decimalIn(text, market.quantityPrecision, wrong, wrong)
}

/** A price of the market, undefined where it is absent; zero is a price here. */
export function readOptionalPrice(market: Market, fields: Fields, name: string): bigint | undefined {
  return textIn(fields, name) === undefined ? undefined : readPrice(market, fields, name)
}

function readTrigger(market: Market, fields: Fields, quote: Quote): Trigger | undefined {
  const filter = market.kind === 'spot' ? (textIn(fields, 'orderFilter') ?? 'Order') : undefined
  const price = readOptionalPrice(market, fields, 'triggerPrice')
  if (price === undefined || price === 0n) {
    if (filter === undefined || filter === 'Order') return undefined
    throw new BybitError(170202, 'Please enter the TP/SL price.')
  }
  // Without a filter a spot order ignores a trigger price.
  if (filter === 'Order') return undefined
  if (market.kind === 'spot') return { by: 'last', when: price > quote.last ? 'rises' : 'falls', price }
  const direction = wholeIn(fields, 'triggerDirection')
  if (direction !== 1 && direction !== 2) throw paramsError('triggerDirection')
  return { by: readSource(fields, 'triggerBy'), when: direction === 1 ? 'rises' : 'falls', price }
}

// The last price is watched where the request does not say.
function readSource(fields: Fields, name: string): TriggerBy {
  const text = textIn(fields, name) ?? 'LastPrice'
  const source = Object.hasOwn(SOURCES, text) ? SOURCES[text] : undefined
  if (source === undefined) throw paramsError(name)
  return source
}

function readAttached(market: Market, fields: Fields): Attached | undefined {
  const usual = market.kind === 'spot' ? 'partial' : 'full'
  const mode = market.kind === 'spot' ? usual : readMode(fields, usual)
  return joined(
    mode,
    readLeg(market, fields, 'tp', 'takeProfit', mode),
    readLeg(market, fields, 'sl', 'stopLoss', mode),
  )
}

function joined(
  mode: Attached['mode'],
  takeProfit: ProtectiveLeg | undefined,
  stopLoss: ProtectiveLeg | undefined,
): Attached | undefined {
  if (!takeProfit && !stopLoss) return undefined
  return { mode, ...(takeProfit && { takeProfit }), ...(stopLoss && { stopLoss }) }
}

/** Returns the legs of an order from now on: legs not named stay, zero takes one away; undefined if none is named. */
export function readReattached(
  market: Market,
  fields: Fields,
  known: Attached | undefined,
): Attached | 'none' | undefined {
  const isNamed = (name: string): boolean => textIn(fields, name) !== undefined
  if (!isNamed('takeProfit') && !isNamed('stopLoss')) return undefined
  const mode = known?.mode ?? (market.kind === 'spot' ? 'partial' : readMode(fields, 'full'))
  const leg = (prefix: 'tp' | 'sl', name: 'takeProfit' | 'stopLoss'): ProtectiveLeg | undefined =>
    isNamed(name) ? readLeg(market, fields, prefix, name, mode) : known?.[name]
  return joined(mode, leg('tp', 'takeProfit'), leg('sl', 'stopLoss')) ?? 'none'
}

/** Whether a take profit or stop loss is for the whole position, or for a part of it. */
export function readMode(fields: Fields, usual: 'full' | 'partial'): 'full' | 'partial' {
  const mode = choiceIn(fields, 'tpslMode', ['Full', 'Partial'])
  if (mode === undefined) return usual
  return mode === 'Full' ? 'full' : 'partial'
}

/** One leg of a take profit and stop loss; undefined where it is absent or zero. */
export function readLeg(
  market: Market,
  fields: Fields,
  prefix: 'tp' | 'sl',
  name: 'takeProfit' | 'stopLoss',
  mode: Attached['mode'],
): ProtectiveLeg | undefined {
  const price = readOptionalPrice(market, fields, name)
  if (price === undefined || price === 0n) return undefined
  const type = choiceIn(fields, `${prefix}OrderType`, ['Market', 'Limit']) ?? 'Market'
  if (type === 'Limit' && mode === 'full') throw paramsError(`${prefix}OrderType`)
  const quantity = readQuantity(market, fields, `${prefix}Size`)
  return {
    by: readSource(fields, `${prefix}TriggerBy`),
    price,
    ...(type === 'Limit' && { limitPrice: readPrice(market, fields, `${prefix}LimitPrice`) }),
    ...(quantity !== undefined && { quantity }),
  }
}
