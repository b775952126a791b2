import { isZero } from '@tripline/proto/decimal'
import { z } from 'zod'
import {
  type AccountStatement,
  type StatedOrder,
  type StatedPosition,
  spotStatement,
} from '../../../domain/account/statement.ts'
import type { Market } from '../../../domain/order/market.ts'
import { Decimal, readFrom, spare, Text } from '../../read/read-fields.ts'
import { pageOf, rowsOf, sourceOf } from '../answers.ts'
import type { OrderFinder } from '../orders/find-order.ts'
import type { RestClient } from '../rest-client.ts'
import type { OrderUpdate } from '../stream/order-update.ts'
import { askWallet, listPositions } from './linear-reading.ts'
import { signed } from './linear-rows.ts'
import { PositionFields, readMoney } from './read-account.ts'

/** The sources of a statement. */
interface StatementParts {
  restClient: RestClient
  finder: OrderFinder
  markets: ReadonlyMap<string, Market>
}

/** Reads the statement of an account. */
export async function statementOf(parts: StatementParts): Promise<AccountStatement> {
  return await (parts.restClient.category === 'linear' ? linearStatement(parts) : spotStatementOf(parts))
}

/**
 * The statement of a unified account in linear markets: its wallet, and of every coin that markets are settled in the
 * positions and open orders (https://bybit-exchange.github.io/docs/v5/position: `symbol` or `settleCoin` is required, and
 * https://bybit-exchange.github.io/docs/v5/order/open-order).
 */
async function linearStatement({ restClient, finder, markets }: StatementParts): Promise<AccountStatement> {
  const coins = [...new Set([...markets.values()].map(({ quote }) => quote))]
  const [wallet, positions, orders] = await Promise.all([
    askWallet(restClient),
    Promise.all(coins.map(async (coin) => await listPositions(restClient, coin, false, readStatedPage))),
    Promise.all(coins.map(async (settleCoin) => await finder.listOpen({ settleCoin }))),
  ])
  const { equity, available, holdings } = readMoney(wallet, 'USDT')
  const [totals] = readFrom(sourceOf('linear', 'account.wallet-balance'), Totals, wallet)
  return {
    equity: totals?.totalEquity ?? equity,
    available,
    holdings: holdings.filter(({ total }) => !isZero(total)),
    positions: positions.flat().filter(({ quantity }) => !isZero(quantity)),
    orders: orders.flat().map(stated),
  }
}

/** The statement of a unified account in spot markets: its wallet, the open orders and the prices of all symbols. */
async function spotStatementOf({ restClient, finder, markets }: StatementParts): Promise<AccountStatement> {
  const [wallet, orders, tickers] = await Promise.all([
    askWallet(restClient),
    finder.listOpen(),
    restClient.get('/v5/market/tickers', { category: 'spot' }),
  ])
  const rows = readFrom(sourceOf('spot', 'market.tickers'), LastPrices, tickers)
  const prices = new Map(rows.map(({ symbol, lastPrice }) => [symbol, lastPrice]))
  return spotStatement({
    holdings: readMoney(wallet, 'USDT').holdings,
    orders: orders.map(stated),
    priceOf: (symbol) => prices.get(symbol),
    market: (symbol) => markets.get(symbol),
  })
}

const Totals = rowsOf(z.object({ totalEquity: spare('totalEquity', Decimal, undefined) }))
const LastPrices = rowsOf(z.object({ symbol: Text, lastPrice: spare('lastPrice', Decimal, undefined) }))

function stated({ row, order }: OrderUpdate): StatedOrder {
  return { symbol: row.symbol, order, createdAt: row.createdTime }
}

const StatedRow = PositionFields.extend({
  markPrice: spare('markPrice', Decimal, null),
  liqPrice: spare('liqPrice', Decimal, null),
  positionIM: spare('positionIM', Decimal, null),
})
const StatedPage = pageOf(StatedRow)

function readStatedPage(answer: unknown): { positions: StatedPosition[]; cursor: string } {
  const { list, nextPageCursor } = readFrom(sourceOf('linear', 'position.list'), StatedPage, answer).result
  return {
    positions: list.map((row) => ({
      symbol: row.symbol,
      side: row.positionIdx,
      quantity: signed(row.size, row.side),
      entryPrice: isZero(row.avgPrice) ? null : row.avgPrice,
      markPrice: row.markPrice,
      unrealizedPnl: row.unrealisedPnl,
      margin: row.positionIM,
      liquidationPrice: row.liqPrice,
    })),
    cursor: nextPageCursor,
  }
}
