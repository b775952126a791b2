import { isGreater, isLess, isZero } from '@tripline/proto/decimal'
import { z } from 'zod'
import type { OrderStatus, VenueOrder } from '../../../domain/order/order.ts'
import { Decimal, Flag, spare, Text, Whole, wordOf } from '../../read/read-fields.ts'
import { Amount, spareAmount } from '../answers.ts'
import { endReasons, meaningOf } from '../codes.ts'
import { orderTypes, rejectReasons, stopOrderTypes, timesInForce } from './order-words.ts'

const statuses: Readonly<Record<string, OrderStatus>> = {
  Created: 'open',
  New: 'open',
  Active: 'open',
  Triggered: 'open',
  Untriggered: 'untriggered',
  PartiallyFilled: 'partially_filled',
  PartiallyFilledCanceled: 'canceled',
  Filled: 'filled',
  Cancelled: 'canceled',
  Deactivated: 'canceled',
  Rejected: 'rejected',
}

/** An order in a query's rows and in the stream's. */
export const OrderRow = z
  .object({
    orderId: spare('orderId', Text, ''),
    orderLinkId: spare('orderLinkId', Text, ''),
    symbol: spare('symbol', Text, ''),
    side: z.enum(['Buy', 'Sell']),
    orderType: spare('orderType', wordOf('orderType', orderTypes), 'UNKNOWN'),
    orderStatus: wordOf('orderStatus', new Set(Object.keys(statuses))),
    rejectReason: spare('rejectReason', wordOf('rejectReason', rejectReasons), ''),
    timeInForce: spare('timeInForce', wordOf('timeInForce', timesInForce), ''),
    stopOrderType: spare('stopOrderType', wordOf('stopOrderType', stopOrderTypes), ''),
    marketUnit: spare('marketUnit', Text, ''),
    qty: Amount,
    price: spareAmount('price'),
    avgPrice: spareAmount('avgPrice'),
    triggerPrice: spareAmount('triggerPrice'),
    triggerDirection: spare('triggerDirection', Whole, 0),
    lastPriceOnCreated: spareAmount('lastPriceOnCreated'),
    cumExecQty: Amount,
    cumExecFee: spareAmount('cumExecFee'),
    cumFeeDetail: spare('cumFeeDetail', z.record(z.string(), Decimal), {}),
    feeCurrency: spare('feeCurrency', Text, ''),
    reduceOnly: spare('reduceOnly', Flag, false),
    // 0 in one-way mode, 1 the long and 2 the short of hedge mode.
    positionIdx: spare('positionIdx', Whole, 0),
    createdTime: spare('createdTime', Whole, null),
    updatedTime: spare('updatedTime', Whole, null),
  })
  .refine(({ orderId, orderLinkId }) => orderId !== '' || orderLinkId !== '', 'no id of an order')
export type OrderRow = z.infer<typeof OrderRow>

/**
 * The row of a spot order with the unit of its quantity. One that states none and buys at the market was sent without
 * one, and is by value ("Place Order" of the v5 documentation, 2026-07; recording of a testnet, 2023-11).
 */
export function withUnit(row: OrderRow): OrderRow {
  const isByValue = row.marketUnit === '' && row.orderType === 'Market' && row.side === 'Buy'
  return isByValue ? { ...row, marketUnit: 'quoteCoin' } : row
}

/** The order that a row reports; the coin is what fees are paid in where the row does not say. */
export function readOrder(row: OrderRow, feeCoin: string | undefined): VenueOrder {
  return {
    venueOrderId: row.orderId,
    clientOrderId: row.orderLinkId,
    side: row.side === 'Buy' ? 'buy' : 'sell',
    status: statusOf(row),
    type: typeOf(row),
    quantity: isSizedByValue(row) ? row.cumExecQty : row.qty,
    filled: row.cumExecQty,
    averagePrice: isZero(row.avgPrice) ? null : row.avgPrice,
    price: row.orderType === 'Market' || isZero(row.price) ? null : row.price,
    triggerPrice: isZero(row.triggerPrice) ? null : row.triggerPrice,
    isConditional: hasTrigger(row),
    reduceOnly: row.reduceOnly || shrinks(row),
    fee: feeOf(row, feeCoin),
    updatedAt: row.updatedTime,
  }
}

/** In hedge mode an order against the side of its position can only shrink it, whatever it says besides. */
function shrinks({ positionIdx, side }: OrderRow): boolean {
  return (positionIdx === 1 && side === 'Sell') || (positionIdx === 2 && side === 'Buy')
}

/** Why the matching engine turned down an order that had been taken; undefined where it did not. */
export function turnedDown(row: OrderRow): { code: string; error: string } | undefined {
  if (statusOf(row) !== 'rejected') return undefined
  const { rejectReason } = row
  const refusal = { status: 200, code: 0, text: rejectReason }
  const code = endReasons[rejectReason] ?? meaningOf(refusal).code
  return { code, error: `The exchange refused: ${rejectReason}` }
}

// The venue cancels what other venues refuse or let expire; its reason says which.
function statusOf(row: OrderRow): OrderStatus {
  const { orderStatus, rejectReason, timeInForce, cumExecQty } = row
  // An order of a status that we do not know hides none of those that are listed with it.
  const status = statuses[orderStatus] ?? progressOf(row)
  // Fills stay with any end of the rest: it was ended by the venue, and nothing of the order was refused.
  if (status === 'rejected' && !isZero(cumExecQty)) return 'expired'
  if (status !== 'canceled' || rejectReason === 'EC_PerCancelRequest') return status
  if (rejectReason === 'EC_PostOnlyWillTakeLiquidity' && isZero(cumExecQty)) return 'rejected'
  const isImmediate = timeInForce === 'IOC' || timeInForce === 'FOK'
  return isImmediate && orderStatus !== 'Deactivated' ? 'expired' : status
}

/** Returns an order's progress by its fills. */
function progressOf(row: OrderRow): OrderStatus {
  const { qty, cumExecQty } = row
  if (isZero(cumExecQty)) return 'open'
  return isSizedByValue(row) || isLess(cumExecQty, qty) ? 'partially_filled' : 'filled'
}

// A trailing order may wait without a price.
function hasTrigger({ triggerPrice, stopOrderType, orderStatus }: OrderRow): boolean {
  return orderStatus === 'Untriggered' || (!isZero(triggerPrice) && stopOrderType !== '')
}

function isSizedByValue({ marketUnit, orderType, qty, cumExecQty }: OrderRow): boolean {
  return orderType === 'Market' && marketUnit === 'quoteCoin' && qty !== cumExecQty
}

const ownKinds: readonly string[] = ['', 'Stop', 'tpslOrder', 'UNKNOWN']
const profitKinds: readonly string[] = ['TakeProfit', 'PartialTakeProfit']
const stopKinds: readonly string[] = ['StopLoss', 'PartialStopLoss']

function typeOf(row: OrderRow): VenueOrder['type'] {
  const isMarket = row.orderType === 'Market'
  if (!hasTrigger(row)) return isMarket ? 'market' : 'limit'
  const { stopOrderType, triggerPrice } = row
  if (isZero(triggerPrice)) return 'other'
  const isProfit = profitKinds.includes(stopOrderType)
  if (isProfit || (ownKinds.includes(stopOrderType) && takesProfit(row)))
    return isMarket ? 'takeProfit' : 'takeProfitLimit'
  if (stopKinds.includes(stopOrderType) || ownKinds.includes(stopOrderType))
    return isMarket ? 'stop' : 'stopLimit'
  return 'other'
}

// A sale on a rise and a purchase on a fall are made at a better price than the present one.
function takesProfit({ side, triggerDirection, triggerPrice, lastPriceOnCreated }: OrderRow): boolean {
  const waitsForRise =
    triggerDirection === 0 ? isGreater(triggerPrice, lastPriceOnCreated) : triggerDirection === 1
  return (side === 'Sell') === waitsForRise
}

function feeOf(row: OrderRow, feeCoin: string | undefined): VenueOrder['fee'] {
  const { cumFeeDetail, cumExecFee, feeCurrency } = row
  const details = Object.entries(cumFeeDetail)
  const paid = details.filter(([, amount]) => !isZero(amount))
  // Fees in more than one coin have no sum.
  if (paid.length > 1) return null
  const detail = paid[0] ?? details[0]
  if (detail !== undefined) return { coin: detail[0], amount: detail[1] }
  // Rows from before `cumFeeDetail` say it so (the changelog of the v5 documentation; recording of a testnet, 2023-11).
  const coin = feeCurrency || feeCoin
  return coin === undefined || isZero(cumExecFee) ? null : { coin, amount: cumExecFee }
}
