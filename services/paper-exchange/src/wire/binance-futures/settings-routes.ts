import { leverageOf, type MarginMode, marginModeOf, paysInBnb, positionsIn } from '../../domain/account.ts'
import { formatFixed, formatTrimmed, power } from '../../domain/fixed.ts'
import { type Market, marketsOf, maxValueAt, VALUE_SCALE } from '../../domain/market.ts'
import { accountAt, type Entry, openOrdersOf } from '../../store/ledger.ts'
import { invalid, missing, VenueError } from '../binance/errors.ts'
import { type Route, type SignedCall, signed } from '../binance/route.ts'
import type { Params } from '../params.ts'
import { isHedged } from './hedged.ts'
import { needWhole, readAmount, readFlag, readMarket, readPositionSide, readWhole } from './read-params.ts'
import { refusalError } from './refusals.ts'

const SUCCESS = { code: 200, msg: 'success' }
const VENUE = 'binance-futures'
const MOST_LEVERAGE = 125

function setLeverage({ exchange, entry, params, now }: SignedCall) {
  const market = readMarket(params)
  const leverage = needWhole(params, 'leverage')
  const notValid = new VenueError(-4028, `Leverage ${leverage} is not valid`)
  if (leverage < 1 || leverage > MOST_LEVERAGE) throw notValid
  const isLess = leverage < leverageOf(entry.account, market.id)
  if (isLess && positionsIn(entry.account, market.id).some(({ marginMode }) => marginMode === 'isolated')) {
    const words = 'Leverage reduction is not supported in Isolated Margin Mode with open positions.'
    throw new VenueError(-4161, words)
  }
  const refusal = exchange.setLeverage(entry, market.id, leverage, now)
  if (refusal === 'leverageAboveMax') throw notValid
  // The venue takes the leverage it already has without a word.
  if (refusal !== undefined && refusal !== 'leverageUnchanged') throw refusalError(refusal, market)
  return { leverage, maxNotionalValue: maxNotional(market, leverage), symbol: market.symbol }
}

/** The largest position value a leverage allows, as text. */
export function maxNotional(market: Market, leverage: number): string {
  return formatTrimmed(maxValueAt(market, leverage), VALUE_SCALE)
}

const MARGIN_TYPES: Readonly<Record<string, MarginMode>> = { ISOLATED: 'isolated', CROSSED: 'cross' }

function setMarginType({ exchange, entry, params, now }: SignedCall) {
  const market = readMarket(params)
  const text = params.get('marginType')
  if (!text) throw missing('marginType')
  const mode = MARGIN_TYPES[text]
  if (!mode) throw invalid('marginType')
  const refusal = exchange.setMarginMode(entry, market.id, mode, now)
  // Without a position and orders the word is another one (binance-connector-python #538, ccxt #28703).
  if (refusal === 'marginModeUnchanged' && isIdle(entry, market))
    throw refusalError('openOrdersExist', market)
  if (refusal === 'openOrdersExist')
    throw new VenueError(-4047, 'Margin type cannot be changed if there exists open orders.')
  if (refusal === 'positionExists')
    throw new VenueError(-4048, 'Margin type cannot be changed if there exists position.')
  if (refusal) throw refusalError(refusal, market)
  return SUCCESS
}

function isIdle(entry: Entry, { id }: Market): boolean {
  return positionsIn(entry.account, id).length === 0 && openOrdersOf(entry, id).length === 0
}

function setPositionMode({ exchange, entry, params, now }: SignedCall) {
  if (!params.get('dualSidePosition')) throw missing('dualSidePosition')
  const mode = readFlag(params, 'dualSidePosition') ? 'hedge' : 'one-way'
  const refusal = exchange.setPositionMode(entry, VENUE, mode, now)
  const [first] = marketsOf(VENUE)
  if (refusal && first) throw refusalError(refusal, first)
  return SUCCESS
}

function moveMargin({ exchange, entry, params, now }: SignedCall) {
  const market = readMarket(params)
  const side = readPositionSide(params)
  const kind = needWhole(params, 'type')
  if (kind !== 1 && kind !== 2) throw invalid('type')
  const amount = readAmount(params, 'amount', VALUE_SCALE)
  if (amount === 0n) throw new VenueError(-4055, 'Amount must be positive.')
  if (marginModeOf(entry.account, market.id) === 'cross')
    throw new VenueError(-4049, 'Add margin only support for isolated position.')
  const refusal = exchange.addMargin(entry, market.id, side, kind === 1 ? amount : -amount, now)
  if (refusal === 'marginInsufficient' || refusal === 'balanceInsufficient') {
    if (kind === 1) throw new VenueError(-4050, 'Cross balance insufficient.')
    throw new VenueError(-4051, 'Isolated balance insufficient.')
  }
  if (refusal) throw refusalError(refusal, market)
  return { amount: plainNumber(amount), code: 200, msg: 'Successfully modify position margin.', type: kind }
}

// The venue prints this one amount as a number; it leaves here and nothing is reckoned with it.
function plainNumber(amount: bigint): number {
  return Number(formatFixed(amount, VALUE_SCALE))
}

function setAssetsMode({ params }: SignedCall) {
  if (!params.get('multiAssetsMargin')) throw missing('multiAssetsMargin')
  if (readFlag(params, 'multiAssetsMargin'))
    throw new VenueError(-4084, 'Method is not allowed currently. Upcoming soon.')
  const unchanged = 'Adjusted asset mode is currently set and does not need to be adjusted repeatedly'
  throw new VenueError(-4171, unchanged)
}

function chosenMarkets(params: Params): readonly Market[] {
  return params.has('symbol') ? [readMarket(params)] : marketsOf(VENUE)
}

function symbolConfigs({ entry, params, asOf }: SignedCall) {
  const account = accountAt(entry, asOf)
  return chosenMarkets(params).map((market) => ({
    symbol: market.symbol,
    marginType: marginModeOf(account, market.id) === 'cross' ? 'CROSSED' : 'ISOLATED',
    isAutoAddMargin: false,
    leverage: leverageOf(account, market.id),
    maxNotionalValue: maxNotional(market, leverageOf(account, market.id)),
  }))
}

function accountConfig({ entry, asOf }: SignedCall) {
  return {
    feeTier: 0,
    canTrade: true,
    canDeposit: true,
    canWithdraw: true,
    dualSidePosition: isHedged({ account: accountAt(entry, asOf) }),
    updateTime: 0,
    multiAssetsMargin: accountAt(entry, asOf).settings.terms?.multiAssets ?? false,
    tradeGroupId: -1,
  }
}

const FEE_PLACES = 6

function commissionRate({ params }: SignedCall) {
  const { symbol, makerFee, takerFee } = readMarket(params)
  return {
    symbol,
    makerCommissionRate: formatFixed(makerFee, FEE_PLACES),
    takerCommissionRate: formatFixed(takerFee, FEE_PLACES),
    rpiCommissionRate: formatFixed(0n, FEE_PLACES),
  }
}

function orderLimits({ usage }: SignedCall) {
  return usage.limits.orders.map(({ interval, intervalNum, limit }) => ({
    rateLimitType: 'ORDERS',
    interval,
    intervalNum,
    limit,
  }))
}

/** The bracket table of one market or of all; the venue prints it as numbers. */
function brackets({ params }: SignedCall) {
  const tables = chosenMarkets(params).map(({ symbol, brackets: table }) => ({
    symbol,
    brackets: table.map(({ leverage, floor, cap, maintenance, deduction }, index) => ({
      bracket: index + 1,
      initialLeverage: leverage,
      notionalCap: wholeNumber(cap),
      notionalFloor: wholeNumber(floor),
      maintMarginRatio: Number(maintenance) / 10_000,
      cum: wholeNumber(deduction),
    })),
  }))
  return params.has('symbol') ? tables[0] : tables
}

function wholeNumber(value: bigint): number {
  return Number(value / power(VALUE_SCALE))
}

// Moved margin is not stored apart from the position it belongs to, so there is no list of it.
function marginHistory({ params }: SignedCall) {
  readMarket(params)
  readWhole(params, 'type')
  return []
}

const positionMode = ({ entry, asOf }: SignedCall) => ({
  dualSidePosition: isHedged({ account: accountAt(entry, asOf) }),
})

const assetsMode = ({ entry, asOf }: SignedCall) => ({
  multiAssetsMargin: accountAt(entry, asOf).settings.terms?.multiAssets ?? false,
})

const feeBurn = ({ entry, asOf }: SignedCall) => ({
  feeBurn: paysInBnb(accountAt(entry, asOf), 'binance-futures'),
})

function setFeeBurn({ params, exchange, entry, now }: SignedCall) {
  if (!params.get('feeBurn')) throw missing('feeBurn')
  const futures = readFlag(params, 'feeBurn')
  const spot = paysInBnb(entry.account, 'binance-spot')
  exchange.setTerms(entry, { bnbFees: { spot, futures } }, now)
  return SUCCESS
}

/** Routes of an account's choices, and of the venue's settings for it. */
export const settingsRoutes: ReadonlyArray<readonly [string, Route]> = [
  ['POST /fapi/v1/leverage', signed(1, setLeverage)],
  ['POST /fapi/v1/marginType', signed(1, setMarginType)],
  ['POST /fapi/v1/positionMargin', signed(1, moveMargin)],
  ['GET /fapi/v1/positionMargin/history', signed(1, marginHistory)],
  ['POST /fapi/v1/positionSide/dual', signed(1, setPositionMode)],
  ['GET /fapi/v1/positionSide/dual', signed(30, positionMode)],
  ['POST /fapi/v1/multiAssetsMargin', signed(1, setAssetsMode)],
  ['GET /fapi/v1/multiAssetsMargin', signed(30, assetsMode)],
  ['GET /fapi/v1/leverageBracket', signed(1, brackets)],
  ['GET /fapi/v1/symbolConfig', signed(5, symbolConfigs)],
  ['GET /fapi/v1/accountConfig', signed(5, accountConfig)],
  ['GET /fapi/v1/commissionRate', signed(20, commissionRate)],
  ['GET /fapi/v1/rateLimit/order', signed(1, orderLimits)],
  ['GET /fapi/v1/feeBurn', signed(30, feeBurn)],
  ['POST /fapi/v1/feeBurn', signed(1, setFeeBurn)],
]
