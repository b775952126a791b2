import { parseFixed } from '../../domain/fixed.ts'
import type { Market } from '../../domain/market.ts'
import type { OrderRequest, Side } from '../../domain/order.ts'
import type { Quote } from '../../domain/quote.ts'
import type { Trigger } from '../../domain/trigger.ts'
import { illegal, invalid, missing, notRequired, VenueError } from '../binance/errors.ts'
import type { SignedCall } from '../binance/route.ts'
import type { Params } from '../params.ts'
import { isHedged } from './hedged.ts'
import { CONDITIONAL_TYPES, readClientId, readExposure, readGoodTillDate } from './read-order.ts'
import { readAmount, readFlag, readMarket, readSide } from './read-params.ts'

const LASTING = { GTC: 'gtc', IOC: 'ioc', FOK: 'fok', GTX: 'postOnly', GTD: 'gtc' } as const
const WITH_LIMIT = ['STOP', 'TAKE_PROFIT']
const CLOSING = ['STOP_MARKET', 'TAKE_PROFIT_MARKET']
const WORKING_TYPES = { CONTRACT_PRICE: 'last', MARK_PRICE: 'mark' } as const
// Callback rates are percents with at most four places; the exchange counts them in parts of 1,000,000.
const RATE_PLACES = 4
const LEAST_RATE = 1_000n
const MOST_RATE = 100_000n

/** The conditional order a request asks for, or the venue's error for what it cannot read. */
export function readAlgo(call: SignedCall): OrderRequest {
  const { params, entry, exchange, now } = call
  if (!params.get('algoType')) throw missing('algoType')
  if (params.get('algoType') !== 'CONDITIONAL') throw invalid('algoType')
  const market = readMarket(params)
  const side = readSide(params)
  const type = readType(params)
  const hedged = isHedged(entry)
  const closePosition = readClosePosition(params, type, hedged)
  const { positionSide, reduceOnly } = readExposure(params, hedged)
  const limited = WITH_LIMIT.includes(type)
  const trigger = readTrigger(params, market, side, type, exchange.quotes.of(market.id))
  return {
    market: market.id,
    side,
    type: limited ? 'limit' : 'market',
    timeInForce: LASTING[readTimeInForce(params)],
    clientOrderId: readClientId(params, 'clientAlgoId'),
    quantity: closePosition ? 0n : readAmount(params, 'quantity', market.quantityPrecision),
    price: limited ? readAmount(params, 'price', market.pricePrecision) : 0n,
    reduceOnly: reduceOnly || (closePosition && positionSide === 'net'),
    positionSide,
    closePosition,
    trigger,
    words: wordsOf(params, type, now),
  }
}

function readType(params: Params): string {
  const type = params.get('type')
  if (!type) throw missing('type')
  if (!CONDITIONAL_TYPES.includes(type)) throw new VenueError(-1116, 'Invalid orderType.')
  return type
}

function readTimeInForce(params: Params): keyof typeof LASTING {
  const text = params.get('timeInForce') ?? 'GTC'
  if (!isLasting(text)) throw new VenueError(-1115, 'Invalid timeInForce.')
  return text
}

function isLasting(text: string): text is keyof typeof LASTING {
  return Object.hasOwn(LASTING, text)
}

function readClosePosition(params: Params, type: string, hedged: boolean): boolean {
  if (!readFlag(params, 'closePosition')) return false
  if (!CLOSING.includes(type))
    throw new VenueError(-4136, `Target strategy invalid for orderType ${type},closePosition true`)
  if (params.has('quantity'))
    throw new VenueError(-4137, 'Quantity must be zero with closePosition equals true')
  if (params.has('reduceOnly') && !hedged) throw notRequired('reduceonly')
  return true
}

function readTrigger(params: Params, market: Market, side: Side, type: string, quote: Quote): Trigger {
  const working = params.get('workingType') ?? 'CONTRACT_PRICE'
  if (working !== 'CONTRACT_PRICE' && working !== 'MARK_PRICE')
    throw new VenueError(-4031, `Invalid parameter working type: ${working}`)
  const by = WORKING_TYPES[working]
  if (type === 'TRAILING_STOP_MARKET') return readTrailing(params, market, side, by, quote)
  const price = readAmount(params, 'triggerPrice', market.pricePrecision)
  const isStop = type.startsWith('STOP')
  return { by, when: isStop === (side === 'buy') ? 'rises' : 'falls', price }
}

function readTrailing(
  params: Params,
  market: Market,
  side: Side,
  by: 'last' | 'mark',
  quote: Quote,
): Trigger {
  const rate = readRate(params)
  const when = side === 'buy' ? 'rises' : 'falls'
  const name = params.has('activationPrice') ? 'activationPrice' : 'activatePrice'
  if (!params.get(name)) return { by, when, price: 0n, trailing: { callback: { rate } } }
  const activation = readAmount(params, name, market.pricePrecision)
  // A sale waits for a price above the last one, a purchase for one below.
  const waits = side === 'buy' ? activation < quote.last : activation > quote.last
  if (!waits) throw new VenueError(-2021, 'Order would immediately trigger.')
  return { by, when, price: 0n, trailing: { callback: { rate }, activation } }
}

function readRate(params: Params): bigint {
  const text = params.get('callbackRate')
  if (!text) throw missing('callbackRate')
  if (!/^[0-9]{1,3}(\.[0-9]{1,8})?$/.test(text))
    throw illegal('callbackRate', '^([0-9]{1,20})(\\.[0-9]{1,20})?$')
  const rate = parseFixed(text, RATE_PLACES)
  if (rate === undefined || rate < LEAST_RATE || rate > MOST_RATE)
    throw new VenueError(-2007, 'Invalid callBack rate.')
  return rate
}

function wordsOf(params: Params, type: string, now: number): Record<string, string> {
  const timeInForce = readTimeInForce(params)
  return {
    type,
    timeInForce,
    workingType: params.get('workingType') ?? 'CONTRACT_PRICE',
    priceProtect: String(readFlag(params, 'priceProtect')),
    ...(timeInForce === 'GTD' && { goodTillDate: String(readGoodTillDate(params, now)) }),
  }
}
