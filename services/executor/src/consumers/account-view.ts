import type { AccountStatementView } from '@tripline/proto/account'
import { type AccountOrder, type AccountPosition, mostListedOrders } from '@tripline/proto/account'
import { executionOfOrder } from '@tripline/proto/client-order-id'
import { absolute, isNegative } from '@tripline/proto/decimal'
import type { z } from 'zod'
import {
  type AccountStatement,
  protectsNothing,
  type StatedOrder,
  type StatedPosition,
} from '../domain/account/statement.ts'
import type { Market } from '../domain/order/market.ts'

/** A statement as its owner receives it. */
export function accountView(
  { equity, available, holdings, positions, orders }: AccountStatement,
  kind: Market['kind'],
): z.input<typeof AccountStatementView> {
  const listed = orders.slice(0, mostListedOrders)
  return {
    equity,
    available,
    balances: holdings.map(({ coin, total, free }) => ({ coin, total, free })),
    positions: positions.map(positionView),
    orders: listed.map((stated) => orderView(stated, protectsNothing(stated, positions, kind))),
    orders_left_out: orders.length - listed.length,
  }
}

function positionView(position: StatedPosition): AccountPosition {
  return {
    symbol: position.symbol,
    side: isNegative(position.quantity) ? 'short' : 'long',
    position_side: position.side,
    size: absolute(position.quantity),
    entry_price: position.entryPrice,
    mark_price: position.markPrice,
    unrealized_pnl: position.unrealizedPnl,
    margin: position.margin,
    liquidation_price: position.liquidationPrice,
  }
}

function orderView({ symbol, order, createdAt }: StatedOrder, isUseless: boolean): AccountOrder {
  return {
    client_order_id: order.clientOrderId,
    exchange_order_id: order.venueOrderId,
    execution_id: executionOfOrder(order.clientOrderId) ?? null,
    symbol,
    side: order.side,
    type: order.type,
    price: order.price,
    trigger_price: order.triggerPrice,
    amount: order.quantity,
    filled: order.filled,
    reduce_only: order.reduceOnly,
    protects_nothing: isUseless,
    created_at: createdAt === null ? null : new Date(createdAt).toISOString(),
  }
}
