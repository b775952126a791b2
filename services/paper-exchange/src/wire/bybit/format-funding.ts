import type { Funding } from '../../domain/funding.ts'
import { marketOf } from '../../domain/market.ts'
import { fundingRateText, markText, quantityText } from './format-market.ts'
import { moneyText } from './format-order.ts'
import { uuidOf } from './ids.ts'

/** Returns a position's payment as the executions have it (`execType` Funding): above zero the fee was paid. */
export function formatFunding(funding: Funding) {
  const market = marketOf(funding.market)
  const quantity = funding.quantity < 0n ? -funding.quantity : funding.quantity
  return {
    symbol: market.symbol,
    orderId: uuidOf('order', funding.id),
    orderLinkId: '',
    side: funding.quantity > 0n ? 'Buy' : 'Sell',
    orderPrice: '0',
    orderQty: '0',
    leavesQty: '0',
    createType: '',
    orderType: 'UNKNOWN',
    stopOrderType: 'UNKNOWN',
    execFee: moneyText(funding.paid),
    feeCurrency: market.quote,
    execId: uuidOf('fill', funding.id),
    execPrice: markText(market, funding.mark),
    execQty: quantityText(market, quantity),
    execType: 'Funding',
    execValue: moneyText(funding.value),
    execTime: String(funding.at),
    isMaker: false,
    feeRate: fundingRateText(funding.rate),
    tradeIv: '',
    markIv: '',
    markPrice: markText(market, funding.mark),
    indexPrice: '',
    underlyingPrice: '',
    blockTradeId: '',
    closedSize: '0',
    extraFees: '',
    seq: funding.id,
  }
}
