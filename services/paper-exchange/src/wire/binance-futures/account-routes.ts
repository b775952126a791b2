import { marketsOf } from '../../domain/market.ts'
import { accountAt, openOrdersAt } from '../../store/ledger.ts'
import { type Route, type SignedCall, signed } from '../binance/route.ts'
import {
  activeHoldings,
  formatAccountV2,
  formatAccountV3,
  formatBalances,
  formatRiskV2,
  formatRiskV3,
  holdingsOf,
  type View,
} from './format-account.ts'
import { readMarket } from './read-params.ts'

function viewOf({ entry, exchange, asOf }: SignedCall): View {
  return { account: accountAt(entry, asOf), orders: openOrdersAt(entry, asOf), quoteOf: exchange.quotes.of }
}

function positions(call: SignedCall) {
  const view = viewOf(call)
  const only = call.params.has('symbol') ? readMarket(call.params) : undefined
  return activeHoldings(view)
    .filter(({ market }) => only === undefined || market === only)
    .map((holding) => formatRiskV3(view, holding))
}

function positionsV2(call: SignedCall) {
  const view = viewOf(call)
  const chosen = call.params.has('symbol') ? [readMarket(call.params)] : marketsOf('binance-futures')
  return chosen.flatMap((market) => holdingsOf(view, market)).map((holding) => formatRiskV2(view, holding))
}

function adlQuantiles(call: SignedCall) {
  const only = call.params.has('symbol') ? readMarket(call.params) : undefined
  return activeHoldings(viewOf(call))
    .filter(({ market }) => only === undefined || market === only)
    .map(({ market }) => ({ symbol: market.symbol, adlQuantile: { LONG: 1, SHORT: 1, BOTH: 1 } }))
}

const balances = (call: SignedCall) => formatBalances(viewOf(call), call.entry.apiKey.slice(0, 14))

/** Routes by which an account reads itself. */
export const accountRoutes: ReadonlyArray<readonly [string, Route]> = [
  ['GET /fapi/v2/account', signed(5, (call) => formatAccountV2(viewOf(call)))],
  ['GET /fapi/v3/account', signed(5, (call) => formatAccountV3(viewOf(call)))],
  ['GET /fapi/v2/balance', signed(5, balances)],
  ['GET /fapi/v3/balance', signed(5, balances)],
  ['GET /fapi/v2/positionRisk', signed(5, positionsV2)],
  ['GET /fapi/v3/positionRisk', signed(5, positions)],
  ['GET /fapi/v1/adlQuantile', signed(5, adlQuantiles)],
]
