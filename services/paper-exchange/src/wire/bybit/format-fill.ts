import { formatTrimmed } from '../../domain/fixed.ts'
import { type Market, marketOf } from '../../domain/market.ts'
import type { Fill, Order } from '../../domain/order.ts'
import type { Quote } from '../../domain/quote.ts'
import type { Entry } from '../../store/ledger.ts'
import { closingOf } from './fill-book.ts'
import { markText, priceText, quantityText } from './format-market.ts'
import { createTypeOf, moneyText, orderIdOf, stopOrderTypeOf } from './format-order.ts'
import { digitsOf, uuidOf } from './ids.ts'

/** The id of a fill as the venue writes it. */
export function fillIdOf({ market, id }: Pick<Fill, 'market' | 'id'>): string {
  return market.startsWith('bybit-spot:') ? digitsOf('fill', id) : uuidOf('fill', id)
}

/** Returns a fee as a rate of the value it is taken from. */
export function feeRateText(market: Market, { maker }: Pick<Fill, 'maker'>): string {
  return formatTrimmed(maker ? market.makerFee : market.takerFee, 6)
}

/** A fill as queries return it; `order` is the one it belongs to. */
export function formatFill(entry: Entry, fill: Fill, order: Order, quote: Quote) {
  const market = marketOf(fill.market)
  const isSpot = market.kind === 'spot'
  return {
    symbol: market.symbol,
    orderId: orderIdOf(order),
    orderLinkId: order.clientOrderId,
    side: fill.side === 'buy' ? 'Buy' : 'Sell',
    orderPrice: order.type === 'market' ? '0' : priceText(market, order.price),
    orderQty: quantityText(market, order.quantity > 0n ? order.quantity : order.filled),
    leavesQty: quantityText(market, order.quantity > order.filled ? order.quantity - order.filled : 0n),
    ...(!isSpot && { createType: createTypeOf(order) }),
    orderType: order.type === 'market' ? 'Market' : 'Limit',
    stopOrderType: stopOrderTypeOf(order) || 'UNKNOWN',
    execFee: moneyText(fill.fee),
    feeCurrency: fill.feeAsset,
    execId: fillIdOf(fill),
    execPrice: priceText(market, fill.price),
    execQty: quantityText(market, fill.quantity),
    execType: order.origin === 'liquidation' ? 'BustTrade' : 'Trade',
    execValue: moneyText(fill.value),
    execTime: String(fill.at),
    isMaker: fill.maker,
    feeRate: feeRateText(market, fill),
    tradeIv: '',
    markIv: '',
    markPrice: isSpot ? '' : markText(market, quote.mark),
    indexPrice: isSpot ? '' : markText(market, quote.index),
    underlyingPrice: '',
    blockTradeId: '',
    closedSize: isSpot ? '' : quantityText(market, closingOf(entry, fill).quantity),
    extraFees: '',
    seq: fill.id,
  }
}
