import { formatFixed } from '../../domain/fixed.ts'
import type { Funding } from '../../domain/funding.ts'
import { type MarketId, marketOf, marketsOf, VALUE_SCALE } from '../../domain/market.ts'
import type { Fill } from '../../domain/order.ts'
import { type Route, type SignedCall, signed } from '../binance/route.ts'
import { isWithin, readMarket, readSpan, readWhole } from './read-params.ts'

type Income = Readonly<{
  incomeType: 'REALIZED_PNL' | 'COMMISSION' | 'FUNDING_FEE'
  market: MarketId
  amount: bigint
  asset: string
  id: number
  at: number
  tradeId: string
}>

function incomesOf({ market, id, at, fee, feeAsset, realized }: Fill): Income[] {
  const own = { market, id, at, tradeId: String(id) }
  const commission: Income = { ...own, incomeType: 'COMMISSION', amount: -fee, asset: feeAsset }
  if (realized === 0n) return [commission]
  return [{ ...own, incomeType: 'REALIZED_PNL', amount: realized, asset: marketOf(market).quote }, commission]
}

function incomeOf({ market, id, at, paid }: Funding): Income {
  const { quote } = marketOf(market)
  return { market, id, at, tradeId: '', incomeType: 'FUNDING_FEE', amount: -paid, asset: quote }
}

function formatIncome({ incomeType, market, amount, asset, id, at, tradeId }: Income) {
  return {
    symbol: marketOf(market).symbol,
    incomeType,
    income: formatFixed(amount, VALUE_SCALE),
    asset,
    info: incomeType === 'FUNDING_FEE' ? incomeType : String(id),
    time: at,
    tranId: id,
    tradeId,
  }
}

function income({ entry, params, now, asOf }: SignedCall) {
  const markets = params.has('symbol') ? [readMarket(params)] : marketsOf('binance-futures')
  const ids = new Set(markets.map(({ id }) => id))
  const type = params.get('incomeType')
  const span = readSpan(params, now, 100)
  const page = readWhole(params, 'page') ?? 1
  const incomes = [
    ...markets.flatMap(({ id }) => entry.fillsByMarket.get(id) ?? []).flatMap(incomesOf),
    ...entry.fundings.filter(({ market }) => ids.has(market)).map(incomeOf),
  ]
    .filter(({ at }) => at <= asOf && isWithin(span, at))
    .filter(({ incomeType }) => !type || incomeType === type)
    .sort((a, b) => a.id - b.id)
  const first = (Math.max(page, 1) - 1) * span.limit
  const pages = params.has('startTime') || params.has('page')
  return (pages ? incomes.slice(first, first + span.limit) : incomes.slice(-span.limit)).map(formatIncome)
}

/** Routes of an account's income and payments. */
export const incomeRoutes: ReadonlyArray<readonly [string, Route]> = [
  ['GET /fapi/v1/income', signed(30, income)],
]
