import { randomBytes } from 'node:crypto'
import { faultOfBinanceId } from '../../domain/client-order-id.ts'
import { parseFixed } from '../../domain/fixed.ts'
import { findMarket, type Market } from '../../domain/market.ts'
import type { OrderRequest, OrderType, Side, TimeInForce } from '../../domain/order.ts'
import { illegal, invalid, missing, notRequired, VenueError } from '../binance/errors.ts'
import type { Params } from '../params.ts'

const NUMBER = '^([0-9]{1,20})(\\.[0-9]{1,20})?$'
const NUMBER_PATTERN = new RegExp(NUMBER)
const ID_PATTERN = '^[\\.A-Z\\:/a-z0-9_-]{1,36}$'

const CONDITIONAL = ['STOP', 'STOP_MARKET', 'TAKE_PROFIT', 'TAKE_PROFIT_MARKET', 'TRAILING_STOP_MARKET']
const TIMES_IN_FORCE: Readonly<Record<string, TimeInForce>> = {
  GTC: 'gtc',
  IOC: 'ioc',
  FOK: 'fok',
  GTX: 'postOnly',
}
const ID_LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** The market a request names. */
export function readMarket(params: Params): Market {
  const symbol = params.get('symbol')
  if (!symbol) throw missing('symbol')
  const market = findMarket(symbol)
  if (!market) throw new VenueError(-1121, 'Invalid symbol.')
  return market
}

/** The order a request asks for, or the venue's error for what it cannot read. */
export function readOrder(params: Params): OrderRequest {
  const market = readMarket(params)
  const side = readSide(params)
  const type = readType(params)
  refuseHedgeAndClose(params, type)
  return {
    symbol: market.symbol,
    side,
    type,
    timeInForce: readTimeInForce(params, type),
    clientOrderId: readClientOrderId(params),
    quantity: readAmount(params, 'quantity', market.quantityPrecision),
    price: type === 'limit' ? readAmount(params, 'price', market.pricePrecision) : 0n,
    reduceOnly: readFlag(params, 'reduceOnly'),
  }
}

/** Whether the answer to a new order tells its result, or only that it was taken. */
export function wantsResult(params: Params): boolean {
  const kind = params.get('newOrderRespType') ?? 'ACK'
  if (kind !== 'ACK' && kind !== 'RESULT') throw new VenueError(-1136, 'Invalid newOrderRespType.')
  return kind === 'RESULT'
}

function readSide(params: Params): Side {
  const side = params.get('side')
  if (!side) throw missing('side')
  if (side === 'BUY') return 'buy'
  if (side === 'SELL') return 'sell'
  throw new VenueError(-1117, 'Invalid side.')
}

function readType(params: Params): OrderType {
  const type = params.get('type')
  if (!type) throw missing('type')
  if (type === 'MARKET') return 'market'
  if (type === 'LIMIT') return 'limit'
  if (!CONDITIONAL.includes(type)) throw new VenueError(-1116, 'Invalid orderType.')
  const elsewhere =
    'Order type not supported for this endpoint. Please use the Algo Order API endpoints instead.'
  throw new VenueError(-4120, elsewhere)
}

function refuseHedgeAndClose(params: Params, type: OrderType): void {
  const positionSide = params.get('positionSide') ?? 'BOTH'
  if (positionSide === 'LONG' || positionSide === 'SHORT') {
    throw new VenueError(-4061, "Order's position side does not match user's setting.")
  }
  if (positionSide !== 'BOTH') throw new VenueError(-4060, 'Invalid position side.')
  if (!readFlag(params, 'closePosition')) return
  const kind = type.toUpperCase()
  throw new VenueError(-4136, `Target strategy invalid for orderType ${kind},closePosition true`)
}

function readTimeInForce(params: Params, type: OrderType): TimeInForce {
  const text = params.get('timeInForce')
  if (type === 'market') {
    if (text !== undefined) throw notRequired('timeInForce')
    if (params.has('price')) throw notRequired('price')
    return 'gtc'
  }
  if (!text) throw missing('timeInForce')
  const known = TIMES_IN_FORCE[text]
  if (!known) throw new VenueError(-1115, 'Invalid timeInForce.')
  return known
}

function readClientOrderId(params: Params): string {
  const id = params.get('newClientOrderId')
  if (id === undefined) return newClientOrderId()
  const fault = faultOfBinanceId(id)
  if (fault === 'tooLong') throw new VenueError(-4015, 'Client order id length should be less than 36 chars')
  if (fault) throw illegal('newClientOrderId', ID_PATTERN)
  return id
}

// As long as the venue's own; the small bias of the remainder does not matter to a name.
function newClientOrderId(): string {
  return Array.from(randomBytes(22), (byte) => ID_LETTERS[byte % ID_LETTERS.length]).join('')
}

function readAmount(params: Params, name: 'quantity' | 'price', precision: number): bigint {
  const text = params.get(name)
  if (!text) throw missing(name)
  if (!NUMBER_PATTERN.test(text)) throw illegal(name, NUMBER)
  const amount = parseFixed(text, precision)
  if (amount === undefined)
    throw new VenueError(-1111, 'Precision is over the maximum defined for this asset.')
  return amount
}

function readFlag(params: Params, name: string): boolean {
  const text = params.get(name)?.toLowerCase()
  if (text === undefined || text === 'false') return false
  if (text !== 'true') throw invalid(name)
  return true
}
