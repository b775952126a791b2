import type { Refusal } from '../../domain/filter.ts'
import { formatFixed, formatTrimmed, power } from '../../domain/fixed.ts'
import { type Market, VALUE_SCALE } from '../../domain/market.ts'
import type { OrderRequest } from '../../domain/order.ts'
import { type Quote, watched } from '../../domain/quote.ts'
import { BybitError } from './errors.ts'

type Words = readonly [code: number, message: string]
type Asked = Readonly<{ market: Market; quote: Quote; request?: Pick<OrderRequest, 'trigger'> }>
type Table = Readonly<Record<Refusal, Words | ((asked: Asked) => Words)>>

const REJECTED = 'New order rejected.'

// Refusals that can only happen elsewhere have the words of the venue's general refusal, so that the table stays whole.
const ELSEWHERE: Words = [10001, 'Request parameter error.']

/** Texts that linear and spot share: all of it is about the account, not about an order's numbers. */
const COMMON = {
  positionSideMismatch: [10001, 'position idx not match position mode'],
  positionModeUnchanged: [110025, 'Position mode is not modified'],
  openOrdersExist: [110028, 'Open orders exist, so you cannot change position mode'],
  positionExists: [110024, 'You have an existing position, so position mode cannot be switched'],
  marginModeUnchanged: [110026, 'Cross/isolated margin mode is not modified'],
  leverageUnchanged: [110043, 'leverage not modified'],
  leverageAboveMax: [110013, 'Cannot set leverage due to risk limit level.'],
  protectionUnchanged: [34040, 'not modified'],
  noPosition: [10001, 'can not set tp/sl/ts for zero position'],
  amendUnchanged: [10001, 'order not modified'],
  clientOrderIdOpen: ELSEWHERE,
  closePositionExists: ELSEWHERE,
  listPricesWrong: ELSEWHERE,
} as const satisfies Partial<Table>

const LINEAR: Table = {
  ...COMMON,
  quantityNotPositive: [10001, 'Qty invalid'],
  quantityBelowMin: [10001, 'The number of contracts exceeds minimum limit allowed'],
  quantityAboveMax: [10001, 'The number of contracts exceeds maximum limit allowed: too large'],
  quantityOffStep: [10001, 'Qty invalid'],
  priceNotPositive: [10001, 'params error: price invalid'],
  priceBelowMin: [110003, 'Order price exceeds the allowable range.'],
  priceAboveMax: [110003, 'Order price exceeds the allowable range.'],
  priceOffTick: [10001, 'params error: price invalid'],
  priceAboveBand: [110003, 'Order price exceeds the allowable range.'],
  priceBelowBand: [110003, 'Order price exceeds the allowable range.'],
  notionalBelowMin: ({ market }) => [
    110094,
    `Order does not meet minimum order value ${formatTrimmed(market.minNotional, VALUE_SCALE)}${market.quote}`,
  ],
  notionalAboveMax: [110090, 'Order placement failed as your position may exceed the max limit.'],
  reduceOnlyRefused: [110017, 'current position is zero, cannot fix reduce-only order qty'],
  marginInsufficient: [110007, 'ab not enough for new order'],
  balanceInsufficient: [110007, 'ab not enough for new order'],
  positionAboveLimit: [110090, 'Order placement failed as your position may exceed the max limit.'],
  clientOrderIdUsed: [110072, 'OrderLinkedID is duplicate'],
  tooManyOpenOrders: [110020, 'Not allowed to have more than 500 active orders.'],
  tooManyConditionalOrders: [110009, 'The number of stop orders exceeds the maximum allowable limit'],
  wouldTake: [110103, 'Only Post-Only orders are available at this stage'],
  notFillable: [10001, REJECTED],
  triggersAtOnce: wrongTrigger,
  triggerPriceOffTick: [10001, 'params error: triggerPrice invalid'],
  triggerPriceNotPositive: [10001, 'params error: triggerPrice invalid'],
  protectionWrongSide: [10001, 'StopLoss or TakeProfit set for the position should lie beyond base_price'],
  orderNotOpen: [110001, 'order not exists or too late to replace'],
  quantityBelowFilled: [
    110064,
    'The modified contract quantity cannot be less than or equal to the filled quantity.',
  ],
}

const SPOT: Table = {
  ...COMMON,
  quantityNotPositive: [170130, "Data sent for paramter 'qty' is not valid."],
  quantityBelowMin: [170136, 'Order quantity lower than the minimum.'],
  quantityAboveMax: [170124, 'Order amount too large.'],
  quantityOffStep: [170137, 'Order volume decimal too long'],
  priceNotPositive: [170130, "Data sent for paramter 'price' is not valid."],
  priceBelowMin: [170133, 'Order price lower than the minimum.'],
  priceAboveMax: [170132, 'Order price too high.'],
  priceOffTick: [170134, 'Order price decimal too long.'],
  priceAboveBand: (asked) => [170193, `Buy order price cannot be higher than ${bandPrice(asked, 'up')}.`],
  priceBelowBand: (asked) => [170194, `Sell order price cannot be lower than ${bandPrice(asked, 'down')}.`],
  notionalBelowMin: [170140, 'Order value exceeded lower limit.'],
  notionalAboveMax: [170124, 'Order amount too large.'],
  reduceOnlyRefused: ELSEWHERE,
  marginInsufficient: [170131, 'Insufficient balance.'],
  balanceInsufficient: [170131, 'Insufficient balance.'],
  positionAboveLimit: ELSEWHERE,
  clientOrderIdUsed: [170141, 'Duplicate clientOrderId.'],
  tooManyOpenOrders: [170810, 'Cannot exceed maximum of 500 conditional, TP/SL and active orders.'],
  tooManyConditionalOrders: [170812, 'Cannot exceed maximum of 30 conditional orders.'],
  wouldTake: [170218, 'The LIMIT-MAKER order is rejected due to invalid price.'],
  notFillable: [170210, REJECTED],
  triggersAtOnce: [170210, REJECTED],
  triggerPriceOffTick: [170134, 'Order price decimal too long.'],
  triggerPriceNotPositive: [170202, 'Please enter the TP/SL price.'],
  protectionWrongSide: [170210, REJECTED],
  orderNotOpen: [170213, 'Order does not exist.'],
  quantityBelowFilled: [170210, REJECTED],
}

/** Why something is not done, as this venue says it. */
export function refusalError(refusal: Refusal, asked: Asked): BybitError {
  const words = (asked.market.kind === 'spot' ? SPOT : LINEAR)[refusal]
  return new BybitError(...(typeof words === 'function' ? words(asked) : words))
}

// The venue shows these prices as whole counts of a ten-thousandth.
const SHOWN_SCALE = 4

function wrongTrigger({ market, quote, request }: Asked): Words {
  const trigger = request?.trigger
  if (!trigger) return ELSEWHERE
  const shown = (fine: bigint): bigint => fine / power(VALUE_SCALE - SHOWN_SCALE)
  const price = shown(trigger.price * power(VALUE_SCALE - market.pricePrecision))
  const current = shown(watched(market, quote, trigger.by))
  const by = `${trigger.by.charAt(0).toUpperCase()}${trigger.by.slice(1)}Price`
  return trigger.when === 'rises'
    ? [110092, `expect Rising, but trigger_price[${price}] <= current[${current}]??${by}`]
    : [110093, `expect Falling, but trigger_price[${price}] >= current[${current}]??${by}`]
}

function bandPrice({ market, quote }: Asked, edge: 'up' | 'down'): string {
  const parts = edge === 'up' ? 10_000n + market.band.up : 10_000n - market.band.down
  return `${formatFixed((quote.last * parts) / 10_000n, market.pricePrecision)}${market.quote}`
}
