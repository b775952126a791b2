import { divideRounded, formatTrimmed, power } from '../../domain/fixed.ts'
import { type Market, marketOf, VALUE_SCALE, valueAt } from '../../domain/market.ts'
import { type EndReason, isOpen, type Order, type ProtectiveLeg, remaining } from '../../domain/order.ts'
import type { Entry } from '../../store/ledger.ts'
import { fillsOf, type OrderFills } from './fill-book.ts'
import { priceText, quantityText } from './format-market.ts'
import { digitsOf, uuidOf } from './ids.ts'
import { positionIdxOf, SOURCE_TEXTS } from './read-order.ts'

/** A sum of money as the venue writes it. */
export function moneyText(value: bigint): string {
  return formatTrimmed(value, VALUE_SCALE)
}

/** The id of an order as the venue writes it. */
export function orderIdOf({ market, id }: Pick<Order, 'market' | 'id'>): string {
  return market.startsWith('bybit-spot:') ? digitsOf('order', id) : uuidOf('order', id)
}

/** Returns the mean worth of one unit of a quantity. */
export function unitPrice(market: Market, value: bigint, quantity: bigint): string {
  if (quantity === 0n) return ''
  return formatTrimmed(divideRounded(value * power(market.quantityPrecision), quantity), VALUE_SCALE)
}

/** Returns the venue's word for the outcome of an order. */
export function statusOf(order: Order): string {
  switch (order.status) {
    case 'untriggered':
      return 'Untriggered'
    case 'triggered':
      return 'Triggered'
    case 'open':
      return order.filled > 0n ? 'PartiallyFilled' : 'New'
    case 'filled':
      return 'Filled'
    case 'rejected':
      return 'Rejected'
    default:
      return endedStatus(order)
  }
}

function endedStatus(order: Order): string {
  if (order.endReason === 'refused') return 'Rejected'
  // An order that fails at its trigger was never in the book.
  if (order.endReason === 'margin' && order.isTriggered === true && order.filled === 0n) return 'Rejected'
  if (order.trigger && order.isTriggered !== true) return 'Deactivated'
  const isSpot = order.market.startsWith('bybit-spot:')
  return isSpot && order.filled > 0n ? 'PartiallyFilledCanceled' : 'Cancelled'
}

const CANCEL_TYPES: Readonly<Record<EndReason, string>> = {
  user: 'CancelByUser',
  timeInForce: 'UNKNOWN',
  noLiquidity: 'UNKNOWN',
  selfTrade: 'CancelBySmp',
  reduceOnly: 'CancelByReduceOnly',
  positionClosed: 'CancelByTpSlTsClear',
  sibling: 'CancelByUser',
  margin: 'UNKNOWN',
  refused: 'UNKNOWN',
  liquidation: 'CancelAllBeforeLiq',
  reset: 'CancelByAdmin',
}

function cancelTypeOf(order: Order): string {
  if (order.endReason === undefined || order.status === 'filled' || isOpen(order)) return 'UNKNOWN'
  if (order.endReason === 'sibling' && order.protection) {
    return order.protection.part === 'takeProfit'
      ? 'CancelByOCOTpCanceledBySlTriggered'
      : 'CancelByOCOSlCanceledByTpTriggered'
  }
  return CANCEL_TYPES[order.endReason]
}

function rejectReasonOf({ endReason, timeInForce, status }: Order): string {
  if (status === 'filled') return 'EC_NoError'
  if (endReason === 'user') return 'EC_PerCancelRequest'
  if (endReason === 'noLiquidity') return 'EC_NoImmediateQtyToFill'
  if (endReason === 'selfTrade') return 'EC_BySelfMatch'
  if (endReason === 'margin' || endReason === 'refused') return 'EC_Others'
  if (endReason !== 'timeInForce') return 'EC_NoError'
  if (timeInForce === 'postOnly') return 'EC_PostOnlyWillTakeLiquidity'
  return timeInForce === 'fok' ? 'EC_CancelForNoFullFill' : 'EC_NoImmediateQtyToFill'
}

const PARTS = { takeProfit: 'TakeProfit', stopLoss: 'StopLoss', trailing: 'TrailingStop' } as const

/** Returns the kind of conditional order; empty for an ordinary one. */
export function stopOrderTypeOf(order: Order): string {
  const { protection, trigger } = order
  if (protection) {
    if (order.market.startsWith('bybit-spot:'))
      return order.siblingId === undefined ? 'tpslOrder' : 'OcoOrder'
    const isPartial = protection.mode === 'partial' && protection.part !== 'trailing'
    return `${isPartial ? 'Partial' : ''}${PARTS[protection.part]}`
  }
  if (!trigger) return ''
  return order.words?.['orderFilter'] === 'tpslOrder' ? 'tpslOrder' : 'Stop'
}

/** Returns the maker of the order, as linear orders have it. */
export function createTypeOf(order: Order): string {
  if (order.origin === 'liquidation') return 'CreateByLiq'
  const kind = stopOrderTypeOf(order)
  if (order.protection) return `CreateBy${kind}`
  return kind === '' ? 'CreateByUser' : 'CreateByStopOrder'
}

const TIME_IN_FORCE = { gtc: 'GTC', ioc: 'IOC', fok: 'FOK', postOnly: 'PostOnly' } as const

function sizesOf(market: Market, order: Order) {
  const left = isOpen(order) ? remaining(order) : 0n
  const byValue = order.quoteQuantity !== undefined
  return {
    qty: byValue ? moneyText(order.quoteQuantity ?? 0n) : quantityText(market, order.quantity),
    leavesQty: quantityText(market, left > 0n ? left : 0n),
    leavesValue: moneyText(valueAt(market, left > 0n ? left : 0n, order.price)),
    cumExecQty: quantityText(market, order.filled),
    cumExecValue: moneyText(order.filledValue),
    avgPrice: unitPrice(market, order.filledValue, order.filled),
  }
}

function feesOf({ fee, feeAsset }: OrderFills) {
  return { cumExecFee: moneyText(fee), cumFeeDetail: feeAsset === '' ? {} : { [feeAsset]: moneyText(fee) } }
}

function triggerOf(market: Market, { trigger }: Order) {
  if (!trigger) return { triggerPrice: '', triggerDirection: 0, triggerBy: '' }
  const price = trigger.trailing?.activation ?? trigger.price
  return {
    triggerPrice: priceText(market, price),
    triggerDirection: trigger.when === 'rises' ? 1 : 2,
    triggerBy: SOURCE_TEXTS[trigger.by],
  }
}

function legOf(market: Market, leg: ProtectiveLeg | undefined): readonly [string, string, string] {
  if (!leg) return ['', '', '']
  const limit = leg.limitPrice === undefined ? '' : priceText(market, leg.limitPrice)
  return [priceText(market, leg.price), limit, SOURCE_TEXTS[leg.by]]
}

function attachedOf(market: Market, order: Order) {
  const [takeProfit, tpLimitPrice, tpTriggerBy] = legOf(market, order.attached?.takeProfit)
  const [stopLoss, slLimitPrice, slTriggerBy] = legOf(market, order.attached?.stopLoss)
  const legs = { takeProfit, stopLoss, tpTriggerBy, slTriggerBy, tpLimitPrice, slLimitPrice }
  if (market.kind === 'spot') return { ...legs, ocoTriggerBy: '' }
  const mode = order.attached?.mode ?? order.protection?.mode
  return { ...legs, tpslMode: mode === undefined ? '' : mode === 'full' ? 'Full' : 'Partial' }
}

/** An order as queries return it. */
export function formatOrder(entry: Entry, order: Order) {
  const market = marketOf(order.market)
  const isSpot = market.kind === 'spot'
  return {
    orderId: orderIdOf(order),
    orderLinkId: order.clientOrderId,
    blockTradeId: '',
    symbol: market.symbol,
    price: order.type === 'market' ? '0' : priceText(market, order.price),
    side: order.side === 'buy' ? 'Buy' : 'Sell',
    isLeverage: isSpot ? '0' : '',
    positionIdx: positionIdxOf(order.positionSide),
    orderStatus: statusOf(order),
    ...(!isSpot && { createType: createTypeOf(order) }),
    cancelType: cancelTypeOf(order),
    rejectReason: rejectReasonOf(order),
    ...sizesOf(market, order),
    ...feesOf(fillsOf(entry, order.market, order.id)),
    timeInForce: TIME_IN_FORCE[order.timeInForce],
    orderType: order.type === 'market' ? 'Market' : 'Limit',
    stopOrderType: stopOrderTypeOf(order),
    orderIv: '',
    marketUnit: order.words?.['marketUnit'] ?? '',
    slippageToleranceType: 'UNKNOWN',
    slippageTolerance: '',
    ...triggerOf(market, order),
    ...attachedOf(market, order),
    lastPriceOnCreated: priceText(market, BigInt(order.words?.['lastPrice'] ?? '0')),
    reduceOnly: order.reduceOnly,
    closeOnTrigger: order.words?.['closeOnTrigger'] === 'true' || order.protection !== undefined,
    placeType: '',
    smpType: 'None',
    smpGroup: 0,
    smpOrderId: '',
    parentOrderLinkId: '',
    createdTime: String(order.createdAt),
    updatedTime: String(order.updatedAt),
  }
}
