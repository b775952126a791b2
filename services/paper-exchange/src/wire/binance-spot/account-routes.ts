import { paysInBnb } from '../../domain/account.ts'
import { type Market, marketsOf } from '../../domain/market.ts'
import { accountAt } from '../../store/ledger.ts'
import { type Route, type SignedCall, signed } from '../binance/route.ts'
import { formatAccount, formatCommission, rateText } from './format-account.ts'
import { readMarket, readWord } from './read-params.ts'

const FLAGS = { true: true, false: false }

function account({ entry, params, asOf }: SignedCall) {
  return formatAccount(entry, asOf, readWord(params, 'omitZeroBalances', FLAGS) ?? false)
}

function tradeFees({ params }: SignedCall) {
  const fee = ({ symbol, makerFee, takerFee }: Market) => ({
    symbol,
    makerCommission: trimmed(rateText(makerFee)),
    takerCommission: trimmed(rateText(takerFee)),
  })
  return params.has('symbol') ? [fee(readMarket(params))] : marketsOf('binance-spot').map(fee)
}

function trimmed(text: string): string {
  return text.replace(/0+$/, '')
}

function orderLimits({ usage, entry, now }: SignedCall) {
  const counts = usage.countOrders(entry.apiKey, 0, now)
  return usage.limits.orders.map(({ interval, intervalNum, limit }, index) => ({
    rateLimitType: 'ORDERS',
    interval,
    intervalNum,
    limit,
    count: counts[index] ?? 0,
  }))
}

function bnbBurn({ entry, asOf }: SignedCall) {
  return { spotBNBBurn: paysInBnb(accountAt(entry, asOf), 'binance-spot'), interestBNBBurn: false }
}

function setBnbBurn({ entry, params, exchange, now }: SignedCall) {
  const spot = readWord(params, 'spotBNBBurn', FLAGS) ?? paysInBnb(entry.account, 'binance-spot')
  const futures = paysInBnb(entry.account, 'binance-futures')
  exchange.setTerms(entry, { bnbFees: { spot, futures } }, now)
  return { spotBNBBurn: spot, interestBNBBurn: false }
}

/** Routes by which an account reads itself. */
export const accountRoutes: ReadonlyArray<readonly [string, Route]> = [
  ['GET /api/v3/account', { ...signed(20, account), reads: ['omitZeroBalances'] }],
  [
    'GET /api/v3/account/commission',
    { ...signed(20, ({ params, entry }) => formatCommission(entry, readMarket(params))), reads: ['symbol'] },
  ],
  ['GET /api/v3/rateLimit/order', { ...signed(40, orderLimits), reads: [] }],
  ['GET /sapi/v1/bnbBurn', signed(1, bnbBurn)],
  ['POST /sapi/v1/bnbBurn', signed(1, setBnbBurn)],
  ['GET /sapi/v1/asset/tradeFee', signed(1, tradeFees)],
  // Coins and margin pairs belong to other products of the venue; unmodified clients ask for them in passing.
  ['GET /sapi/v1/capital/config/getall', signed(10, () => [])],
  ['GET /sapi/v1/margin/allPairs', signed(1, () => [])],
  ['GET /sapi/v1/margin/isolated/allPairs', signed(10, () => [])],
]
