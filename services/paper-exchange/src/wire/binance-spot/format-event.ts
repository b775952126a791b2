import { type Market, marketOf } from '../../domain/market.ts'
import type { Fill, Order, OrderList } from '../../domain/order.ts'
import type { Entry } from '../../store/ledger.ts'
import { balanceText } from './format-account.ts'
import {
  listWords,
  ordersOf,
  originalQuantity,
  priceText,
  quantityText,
  statusText,
  stopPriceOf,
  timeInForceText,
  typeText,
  valueText,
  workingTimeOf,
} from './format-order.ts'

function executionOf(order: Order, fill: Fill | undefined): string {
  if (fill) return 'TRADE'
  const status = statusText(order)
  if (status === 'EXPIRED_IN_MATCH') return 'TRADE_PREVENTION'
  return status === 'CANCELED' || status === 'EXPIRED' || status === 'REJECTED' ? status : 'NEW'
}

/** A change of an order. A cancel comes under a name of its own and has the order's beside it. */
export function formatExecution(order: Order, fill: Fill | undefined, cancelId: string, at: number) {
  const market = marketOf(order.market)
  const execution = executionOf(order, fill)
  const isCancel = execution === 'CANCELED'
  const isWorking = order.status === 'open' && (!order.trigger || order.isTriggered === true)
  const workingTime = workingTimeOf(order)
  return {
    e: 'executionReport',
    E: at,
    s: market.symbol,
    c: isCancel ? cancelId : order.clientOrderId,
    S: order.side.toUpperCase(),
    o: typeText(order),
    f: timeInForceText(order),
    q: quantityText(market, originalQuantity(order)),
    p: priceText(market, order.price),
    P: priceText(market, stopPriceOf(order)),
    ...(order.trigger?.trailing && { d: Number(order.words?.['trailingDelta'] ?? 0) }),
    F: quantityText(market, 0n),
    g: order.listId ?? -1,
    C: isCancel ? order.clientOrderId : '',
    x: execution,
    X: statusText(order),
    r: 'NONE',
    i: order.id,
    ...formatFill(market, fill),
    z: quantityText(market, order.filled),
    T: order.updatedAt,
    I: order.id,
    w: isWorking,
    O: order.createdAt,
    Z: valueText(order.filledValue),
    Q: valueText(order.quoteQuantity ?? 0n),
    ...(workingTime >= 0 && { W: workingTime }),
    V: 'EXPIRE_MAKER',
  }
}

function formatFill(market: Market, fill: Fill | undefined) {
  return {
    l: quantityText(market, fill?.quantity ?? 0n),
    L: priceText(market, fill?.price ?? 0n),
    n: fill ? valueText(fill.fee) : '0',
    N: fill?.feeAsset ?? null,
    t: fill?.id ?? -1,
    m: fill?.maker ?? false,
    M: fill !== undefined,
    Y: valueText(fill?.value ?? 0n),
  }
}

/**
 * Returns the account's balances of the coins that changed; an order that locks some of a coin changes the account too.
 */
export function formatPosition(entry: Entry, assets: readonly string[], at: number) {
  const balances = assets.map((asset) => {
    const { free, locked } = balanceText(entry, asset)
    return { a: asset, f: free, l: locked }
  })
  return { e: 'outboundAccountPosition', E: at, u: at, B: balances }
}

/** A coin that came to the account or left it other than by trading. */
export function formatBalanceUpdate(asset: string, delta: bigint, at: number) {
  return { e: 'balanceUpdate', E: at, a: asset, d: valueText(delta), T: at }
}

/** Returns the status frame of an order list. */
export function formatListStatus(entry: Entry, list: OrderList, at: number) {
  const { symbol } = marketOf(list.market)
  const { listStatusType, listOrderStatus } = listWords(list)
  return {
    e: 'listStatus',
    E: at,
    s: symbol,
    g: list.id,
    c: 'OCO',
    l: listStatusType,
    L: listOrderStatus,
    r: 'NONE',
    C: list.clientListId,
    T: list.updatedAt,
    O: ordersOf(entry, list).map(({ id, clientOrderId }) => ({ s: symbol, i: id, c: clientOrderId })),
  }
}
