import { randomBytes } from 'node:crypto'
import { faultOfBinanceId } from '../../domain/client-order-id.ts'
import type { OrderRequest, PositionSide, TimeInForce } from '../../domain/order.ts'
import { illegal, invalid, missing, notRequired, VenueError } from '../binance/errors.ts'
import type { SignedCall } from '../binance/route.ts'
import type { Params } from '../params.ts'
import { isHedged } from './hedged.ts'
import { readAmount, readFlag, readMarket, readPositionSide, readSide, readWhole } from './read-params.ts'

const ID_PATTERN = '^[\\.A-Z\\:/a-z0-9_-]{1,36}$'
const ID_LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const TEN_MINUTES_MS = 600_000

/** The types that only the algo endpoints take. */
export const CONDITIONAL_TYPES = [
  'STOP',
  'STOP_MARKET',
  'TAKE_PROFIT',
  'TAKE_PROFIT_MARKET',
  'TRAILING_STOP_MARKET',
]

const TIMES_IN_FORCE: Readonly<Record<string, TimeInForce>> = {
  GTC: 'gtc',
  IOC: 'ioc',
  FOK: 'fok',
  GTX: 'postOnly',
  GTD: 'gtc',
}

/** The order a request asks for, or the venue's error for what it cannot read. */
export function readOrder({
  params,
  entry,
  now,
}: Pick<SignedCall, 'params' | 'entry' | 'now'>): OrderRequest {
  const market = readMarket(params)
  const side = readSide(params)
  const type = readType(params)
  if (readFlag(params, 'closePosition')) {
    const kind = type.toUpperCase()
    throw new VenueError(-4136, `Target strategy invalid for orderType ${kind},closePosition true`)
  }
  refuseWordsOfOthers(params, type)
  const { positionSide, reduceOnly } = readExposure(params, isHedged(entry))
  return {
    market: market.id,
    side,
    type,
    ...readTimeInForce(params, type, now),
    clientOrderId: readClientId(params, 'newClientOrderId'),
    quantity: readAmount(params, 'quantity', market.quantityPrecision),
    price: type === 'limit' ? readAmount(params, 'price', market.pricePrecision) : 0n,
    reduceOnly,
    positionSide,
  }
}

/** Returns whether the answer to a new order has its result, or only that it was taken. */
export function wantsResult(params: Params): boolean {
  const kind = params.get('newOrderRespType') ?? 'ACK'
  if (kind !== 'ACK' && kind !== 'RESULT') throw new VenueError(-1136, 'Invalid newOrderRespType.')
  return kind === 'RESULT'
}

function readType(params: Params): 'market' | 'limit' {
  const type = params.get('type')
  if (!type) throw missing('type')
  if (type === 'MARKET') return 'market'
  if (type === 'LIMIT') return 'limit'
  if (!CONDITIONAL_TYPES.includes(type)) throw new VenueError(-1116, 'Invalid orderType.')
  const elsewhere =
    'Order type not supported for this endpoint. Please use the Algo Order API endpoints instead.'
  throw new VenueError(-4120, elsewhere)
}

function refuseWordsOfOthers(params: Params, type: 'market' | 'limit'): void {
  const foreign = ['stopPrice', 'activationPrice', 'callbackRate']
  if (type === 'market') foreign.push('timeInForce', 'price')
  const sent = foreign.find((name) => params.has(name))
  if (sent) throw notRequired(sent)
  const priceMatch = params.get('priceMatch') ?? 'NONE'
  if (priceMatch !== 'NONE') throw new VenueError(-5037, 'Invalid price match')
}

/**
 * Returns the position that an order is about and whether it may only shrink it; hedge mode follows from the position's
 * side alone.
 */
export function readExposure(
  params: Params,
  hedged: boolean,
): { positionSide: PositionSide; reduceOnly: boolean } {
  const positionSide = readPositionSide(params)
  if (hedged === (positionSide === 'net'))
    throw new VenueError(-4061, "Order's position side does not match user's setting.")
  const reduceOnly = readFlag(params, 'reduceOnly')
  // The venue names the parameter in small letters here.
  if (hedged && params.has('reduceOnly')) throw notRequired('reduceonly')
  return { positionSide, reduceOnly }
}

type Lasting = Pick<OrderRequest, 'timeInForce' | 'words'>

function readTimeInForce(params: Params, type: 'market' | 'limit', now: number): Lasting {
  if (type === 'market') return { timeInForce: 'gtc' }
  const text = params.get('timeInForce')
  if (!text) throw missing('timeInForce')
  const timeInForce = TIMES_IN_FORCE[text]
  if (!timeInForce) throw new VenueError(-1115, 'Invalid timeInForce.')
  if (text !== 'GTD') return { timeInForce }
  return { timeInForce, words: { timeInForce: text, goodTillDate: String(readGoodTillDate(params, now)) } }
}

/** Until when an order stands that is good till a date: whole seconds, at least ten minutes ahead. */
export function readGoodTillDate(params: Params, now: number): number {
  const moment = readWhole(params, 'goodTillDate')
  if (moment === undefined) throw missing('goodTillDate')
  const until = moment - (moment % 1_000)
  if (until <= now + TEN_MINUTES_MS)
    throw new VenueError(
      -5040,
      'The goodTillDate timestamp must be greater than the current time plus 600 seconds',
    )
  if (until > 253_402_300_799_000) throw invalid('goodTillDate')
  return until
}

/** The client's name for an order; one of the venue's own making where it gives none. */
export function readClientId(params: Params, name: string): string {
  const id = params.get(name)
  if (id === undefined) return newClientOrderId()
  const fault = faultOfBinanceId(id)
  if (fault === 'tooLong') throw new VenueError(-4015, 'Client order id length should be less than 36 chars')
  if (fault) throw illegal(name, ID_PATTERN)
  return id
}

// As long as the venue's own; the small bias of the remainder does not matter to a name.
function newClientOrderId(): string {
  return Array.from(randomBytes(22), (byte) => ID_LETTERS[byte % ID_LETTERS.length]).join('')
}
