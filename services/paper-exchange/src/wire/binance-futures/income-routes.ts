import { formatFixed } from '../../domain/fixed.ts'
import { marketOf, marketsOf, VALUE_SCALE } from '../../domain/market.ts'
import type { Fill } from '../../domain/order.ts'
import { type Route, type SignedCall, signed } from '../binance/route.ts'
import { isWithin, readMarket, readSpan, readWhole } from './read-params.ts'

type Income = Readonly<{ incomeType: 'REALIZED_PNL' | 'COMMISSION'; amount: bigint; fill: Fill }>

function incomesOf(fill: Fill): Income[] {
  const commission: Income = { incomeType: 'COMMISSION', amount: -fill.fee, fill }
  if (fill.realized === 0n) return [commission]
  return [{ incomeType: 'REALIZED_PNL', amount: fill.realized, fill }, commission]
}

function formatIncome({ incomeType, amount, fill }: Income) {
  const { symbol, quote } = marketOf(fill.market)
  return {
    symbol,
    incomeType,
    income: formatFixed(amount, VALUE_SCALE),
    asset: incomeType === 'COMMISSION' ? fill.feeAsset : quote,
    info: String(fill.id),
    time: fill.at,
    tranId: fill.id,
    tradeId: String(fill.id),
  }
}

function income({ entry, params, now, asOf }: SignedCall) {
  const markets = params.has('symbol') ? [readMarket(params)] : marketsOf('binance-futures')
  const type = params.get('incomeType')
  const span = readSpan(params, now, 100)
  const page = readWhole(params, 'page') ?? 1
  const incomes = markets
    .flatMap(({ id }) => entry.fillsByMarket.get(id) ?? [])
    .filter(({ at }) => at <= asOf && isWithin(span, at))
    .sort((a, b) => a.id - b.id)
    .flatMap(incomesOf)
    .filter(({ incomeType }) => !type || incomeType === type)
  const first = (Math.max(page, 1) - 1) * span.limit
  const pages = params.has('startTime') || params.has('page')
  return (pages ? incomes.slice(first, first + span.limit) : incomes.slice(-span.limit)).map(formatIncome)
}

/** What an account earned and paid. */
export const incomeRoutes: ReadonlyArray<readonly [string, Route]> = [
  ['GET /fapi/v1/income', signed(30, income)],
]
