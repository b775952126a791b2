import { isZero } from '@tripline/proto/decimal'
import { z } from 'zod'
import {
  type AccountStatement,
  type StatedOrder,
  type StatedPosition,
  spotStatement,
} from '../../../domain/account/statement.ts'
import type { VenueOrder } from '../../../domain/order/order.ts'
import type { Markets } from '../../http/library-client.ts'
import type { RestClient } from '../../http/rest-client.ts'
import { Decimal, Flag, readFrom, spare, Text, Whole } from '../../read/read-fields.ts'
import { priceOrNone } from '../answers.ts'
import { readAlgoOrder, readFuturesOrder } from '../orders/futures-answers.ts'
import { readHoldings, readSpotOrder } from '../orders/spot-answers.ts'
import { readAll } from '../read-rows.ts'
import { moneyOf, readAccount, usualCoin } from './futures-account.ts'
import { Position, sideOf } from './futures-position.ts'

/**
 * The statement of a USDⓈ-M account: GET /fapi/v3/account, /fapi/v3/positionRisk, /fapi/v1/openAlgoOrders and
 * /fapi/v1/openOrders of all symbols, 5, 5, 40 and 40 of the weight of a minute
 * (https://developers.binance.com/docs/derivatives/usds-margined-futures/trade/rest-api/Current-All-Open-Orders).
 */
export async function futuresStatement({ get }: RestClient): Promise<AccountStatement> {
  const [money, rows, algos] = await Promise.all([
    get('/fapi/v3/account'),
    get('/fapi/v3/positionRisk'),
    get('/fapi/v1/openAlgoOrders'),
  ])
  // Behind the conditional ones: one that is triggered in between shows in both lists, and never in none.
  const open = await get('/fapi/v1/openOrders')
  const ordinary = readAll(open, (row) => placed(row, readFuturesOrder(row)))
  const names = new Set(ordinary.map(({ order }) => order.clientOrderId))
  const waiting = readAll(algos, (row) => placed(row, readAlgoOrder(row).order))
  // In multi-assets mode the totals are those of all coins; otherwise they are those of USDT.
  const { equity, available, holdings } = moneyOf(readAccount(money), usualCoin, true)
  return {
    equity,
    available,
    holdings: holdings.filter(({ total }) => !isZero(total)),
    positions: readAll(rows, readStated).filter(({ quantity }) => !isZero(quantity)),
    orders: [...waiting.filter(({ order }) => !names.has(order.clientOrderId)), ...ordinary],
  }
}

/** The statement of a spot account: GET /api/v3/account, /api/v3/openOrders and /api/v3/ticker/price of all symbols, 20, 80
 * and 4 of the weight of a minute (https://developers.binance.com/docs/binance-spot-api-docs/rest-api/trading-endpoints). */
export async function spotStatementOf({ get }: RestClient, markets: Markets): Promise<AccountStatement> {
  const [account, open, prices] = await Promise.all([
    get('/api/v3/account'),
    get('/api/v3/openOrders'),
    get('/api/v3/ticker/price'),
  ])
  const known = new Map(
    readAll(prices, (row) => readFrom({ venue: 'binance-spot', call: 'ticker.price' }, Price, row)).map(
      ({ symbol, price }) => [symbol, price],
    ),
  )
  return spotStatement({
    holdings: readHoldings(account).holdings,
    orders: readAll(open, (row) => placed(row, readSpotOrder(row))),
    priceOf: (symbol) => known.get(symbol),
    market: (symbol) => markets.get(symbol),
  })
}

const Price = z.object({ symbol: Text, price: Decimal })

const Placed = z.object({
  symbol: Text,
  // Ordinary orders say `time`, conditional ones `createTime`.
  time: spare('time', Whole, undefined),
  createTime: spare('createTime', Whole, undefined),
  // An order that closes all of a position, whatever its size.
  closePosition: spare('closePosition', Flag, false),
})

function placed(row: unknown, order: VenueOrder): StatedOrder {
  const { symbol, time, createTime, closePosition } = Placed.parse(row)
  return {
    symbol,
    order: { ...order, reduceOnly: order.reduceOnly || closePosition },
    createdAt: time ?? createTime ?? null,
  }
}

const Stated = Position.extend({
  markPrice: spare('markPrice', Decimal, undefined),
  liquidationPrice: spare('liquidationPrice', Decimal, undefined),
  positionInitialMargin: spare('positionInitialMargin', Decimal, undefined),
})

function readStated(row: unknown): StatedPosition {
  const position = readFrom({ venue: 'binance-futures', call: 'positionRisk' }, Stated, row)
  return {
    symbol: position.symbol,
    side: sideOf(position.positionSide),
    quantity: position.positionAmt,
    entryPrice: position.entryPrice ?? null,
    markPrice: position.markPrice ?? null,
    unrealizedPnl: position.unRealizedProfit,
    margin: position.positionInitialMargin ?? null,
    // Zero where the margin covers every price.
    liquidationPrice: priceOrNone(position.liquidationPrice),
  }
}
