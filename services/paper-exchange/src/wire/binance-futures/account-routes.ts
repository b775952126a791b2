import { DEFAULT_LEVERAGE } from '../../domain/account.ts'
import { MARKETS, type Market } from '../../domain/market.ts'
import { type Order, orderAt } from '../../domain/order.ts'
import { accountAt, type Entry, openOrdersOf } from '../../store/ledger.ts'
import { type Route, type SignedCall, signed } from '../binance/route.ts'
import {
  activeMarkets,
  formatAccountV2,
  formatAccountV3,
  formatBalances,
  formatRiskV2,
  formatRiskV3,
  maxNotional,
  type View,
} from './format-account.ts'
import { formatBrackets } from './format-market.ts'
import { readMarket } from './read-order.ts'

/** The orders of the account that were open at a moment, oldest first. */
export function openOrdersAt(entry: Entry, asOf: number): Order[] {
  if (asOf === Number.POSITIVE_INFINITY) return openOrdersOf(entry)
  const open: Order[] = []
  for (const order of entry.orders.values()) {
    const then = orderAt(order, asOf)
    if (then?.status === 'open') open.push(then)
  }
  return open
}

function viewOf({ entry, exchange, asOf }: SignedCall): View {
  return { account: accountAt(entry, asOf), orders: openOrdersAt(entry, asOf), quoteOf: exchange.quotes.of }
}

function chosenMarkets({ params }: SignedCall): readonly Market[] {
  return params.has('symbol') ? [readMarket(params)] : MARKETS
}

function positions(call: SignedCall) {
  const view = viewOf(call)
  const chosen = chosenMarkets(call)
  return activeMarkets(view)
    .filter((market) => chosen.includes(market))
    .map((market) => formatRiskV3(view, market))
}

function positionsV2(call: SignedCall) {
  const view = viewOf(call)
  return chosenMarkets(call).map((market) => formatRiskV2(view, market))
}

function brackets(call: SignedCall) {
  return call.params.has('symbol') ? formatBrackets(readMarket(call.params)) : MARKETS.map(formatBrackets)
}

function symbolConfig(market: Market) {
  return {
    symbol: market.symbol,
    marginType: 'CROSSED',
    isAutoAddMargin: false,
    leverage: DEFAULT_LEVERAGE,
    maxNotionalValue: maxNotional(market),
  }
}

function commissionRate({ params }: SignedCall) {
  const { symbol } = readMarket(params)
  return {
    symbol,
    makerCommissionRate: '0.000200',
    takerCommissionRate: '0.000500',
    rpiCommissionRate: '0.000000',
  }
}

const balances = (call: SignedCall) => formatBalances(viewOf(call), call.entry.apiKey.slice(0, 14))

/** What an account may read of itself. */
export const accountRoutes: ReadonlyArray<readonly [string, Route]> = [
  ['GET /fapi/v2/account', signed(5, (call) => formatAccountV2(viewOf(call)))],
  ['GET /fapi/v3/account', signed(5, (call) => formatAccountV3(viewOf(call)))],
  ['GET /fapi/v2/balance', signed(5, balances)],
  ['GET /fapi/v3/balance', signed(5, balances)],
  ['GET /fapi/v2/positionRisk', signed(5, positionsV2)],
  ['GET /fapi/v3/positionRisk', signed(5, positions)],
  ['GET /fapi/v1/leverageBracket', signed(1, brackets)],
  ['GET /fapi/v1/symbolConfig', signed(5, (call) => chosenMarkets(call).map(symbolConfig))],
  ['GET /fapi/v1/commissionRate', signed(20, commissionRate)],
  ['GET /fapi/v1/positionSide/dual', signed(30, () => ({ dualSidePosition: false }))],
  // Currencies and margin pairs belong to other products of the venue; unmodified clients ask for them in passing.
  ['GET /sapi/v1/capital/config/getall', signed(10, () => [])],
  ['GET /sapi/v1/margin/allPairs', signed(1, () => [])],
  ['GET /sapi/v1/margin/isolated/allPairs', signed(10, () => [])],
]
