import { add, divide, isGreater, isZero } from '@tripline/proto/decimal'
import { z } from 'zod'
import type { Holding } from '../../../domain/account/account.ts'
import type { OrderPlan, VenueOrder } from '../../../domain/order/order.ts'
import type { Source } from '../../read/drift.ts'
import { Decimal, Flag, readFrom, spare, Text, Whole } from '../../read/read-fields.ts'
import { Fills, feeOf, Order, type Planned, priceOrNone, readCore } from '../answers.ts'

/** Spot's words for kinds of order, in ours. */
export const spotTypes: Readonly<Record<string, OrderPlan['type']>> = {
  MARKET: 'market',
  LIMIT: 'limit',
  LIMIT_MAKER: 'limit',
  STOP_LOSS: 'stop',
  STOP_LOSS_LIMIT: 'stopLimit',
  TAKE_PROFIT: 'takeProfit',
  TAKE_PROFIT_LIMIT: 'takeProfitLimit',
}

const source = { venue: 'binance-spot', call: 'order' } as const

const SpotOrder = Order.extend({
  // The venue's own spelling of "cumulative".
  cummulativeQuoteQty: spare('cummulativeQuoteQty', Decimal, undefined),
  // In the answer to a cancel `clientOrderId` names the cancel, and this the order.
  origClientOrderId: spare('origClientOrderId', Text, undefined),
  stopPrice: spare('stopPrice', Decimal, undefined),
  isWorking: spare('isWorking', Flag, undefined),
  workingTime: spare('workingTime', Whole, undefined),
  transactTime: spare('transactTime', Whole, undefined),
  fills: spare('fills', Fills, undefined),
})

/**
 * An order as Binance spot answers it (FULL, RESULT, GET order, open orders, and DELETE order); parts that an answer to its
 * placing leaves out are as they were planned.
 */
export function readSpotOrder(answer: unknown, planned?: Planned, from: Source = source): VenueOrder {
  const { origClientOrderId, clientOrderId, ...order } = readFrom(from, SpotOrder, answer)
  const core = readCore({ ...order, clientOrderId: origClientOrderId ?? clientOrderId }, planned)
  const type = order.type === undefined ? (planned?.type ?? 'other') : (spotTypes[order.type] ?? 'other')
  const isConditional = type !== 'market' && type !== 'limit' && type !== 'other'
  const { cummulativeQuoteQty: value, fills } = order
  return {
    ...core,
    type,
    status: isConditional && waits(order) ? 'untriggered' : core.status,
    averagePrice: meanOf(value, core.filled),
    triggerPrice: priceOrNone(order.stopPrice ?? planned?.triggerPrice),
    isConditional,
    reduceOnly: false,
    fee: fills === undefined ? null : feeOf(fills),
    updatedAt: order.transactTime ?? order.updateTime ?? null,
  }
}

// Negative where the venue does not have it, as of old orders ("Public API Definitions" of the spot documentation).
function meanOf(value: string | undefined, filled: string): string | null {
  return value === undefined || isZero(filled) || !isGreater(value, '0') ? null : divide(value, filled)
}

type Waiting = Pick<z.output<typeof SpotOrder>, 'status' | 'isWorking' | 'workingTime'>

/** True while a conditional order is not on the book. */
function waits({ status = 'NEW', isWorking, workingTime }: Waiting): boolean {
  if (status === 'PENDING_NEW') return true
  return status === 'NEW' && isWorking !== true && !(workingTime !== undefined && workingTime > 0)
}

/** The report of an order list on its orders, when it is placed and when it is canceled. */
export const OrderList = z.object({
  orderReports: z.array(z.unknown()),
  orders: spare('orders', z.array(z.object({ orderId: Text, clientOrderId: Text })), []),
})

const Balance = z.object({ asset: Text, free: Decimal, locked: spare('locked', Decimal, '0') })
const Account = z.object({
  balances: z.array(Balance),
  updateTime: spare('updateTime', Whole, undefined),
})

/** Returns what an account has of every coin, and when that changed last, in ms (GET /api/v3/account). */
export function readHoldings(answer: unknown): { holdings: Holding[]; changedAt: number | undefined } {
  const { balances, updateTime } = readFrom({ venue: 'binance-spot', call: 'account' }, Account, answer)
  const holdings = balances.map(({ asset, free, locked }) => ({
    coin: asset,
    total: add(free, locked),
    free,
  }))
  return { holdings, changedAt: updateTime || undefined }
}
