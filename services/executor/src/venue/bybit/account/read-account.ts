import { add, isGreater, isNegative, isZero, least, multiply, subtract } from '@tripline/proto/decimal'
import { z } from 'zod'
import type { AccountReading, AccountSettings, Holding } from '../../../domain/account/account.ts'
import type { Market } from '../../../domain/order/market.ts'
import { Decimal, readFrom, spare, Text, Whole, wordOf } from '../../read/read-fields.ts'
import { Amount, pageOf, rowsOf, sourceOf, spareAmount } from '../answers.ts'
import { marginModes } from '../orders/order-words.ts'
import type { Category } from '../rest-client.ts'
import { Coin, modeOf, PositionIdx, signed } from './linear-rows.ts'
import type { PricedPosition } from './position-sums.ts'

/** GET /v5/account/wallet-balance of the unified account. */
const Wallets = rowsOf(
  z.object({ totalAvailableBalance: spare('totalAvailableBalance', Decimal, ''), coin: z.array(Coin) }),
)

/** The fields of a position in a query's rows. */
export const PositionFields = z.object({
  symbol: Text,
  positionIdx: PositionIdx,
  side: spare('side', Text, ''),
  size: Amount,
  avgPrice: spareAmount('avgPrice'),
  leverage: spareAmount('leverage'),
  unrealisedPnl: spareAmount('unrealisedPnl'),
  updatedTime: spare('updatedTime', Whole, undefined),
})
const Position = PositionFields.refine(({ size, avgPrice }) => isZero(size) || !isZero(avgPrice), {
  path: ['avgPrice'],
})
type Position = z.infer<typeof Position>

/** GET /v5/position/list of one symbol: one row, or one for each side in hedge mode. Of a coin: its open positions. */
const Positions = rowsOf(Position)
const PositionPage = pageOf(Position)

/** GET /v5/market/tickers of one symbol; spot has no mark price. A side of the book that is empty has no price, or 0. */
const Tickers = rowsOf(
  z.object({
    bid1Price: spareAmount('bid1Price'),
    ask1Price: spareAmount('ask1Price'),
    lastPrice: spareAmount('lastPrice'),
    markPrice: spareAmount('markPrice'),
  }),
)

/** GET /v5/account/info. */
const AccountInfo = z.object({
  result: z.object({ marginMode: spare('marginMode', wordOf('marginMode', marginModes), '') }),
})

const walletCall = 'account.wallet-balance'
const positionCall = 'position.list'
const tickerCall = 'market.tickers'

/** Returns the money in the wallet's answer; `coin` is what the market is settled in. */
export function readMoney(
  answer: unknown,
  coin: string,
): Pick<AccountReading, 'coin' | 'holdings' | 'equity' | 'available'> {
  const wallet = walletIn('linear', answer)
  const held = wallet.coin.find((candidate) => candidate.coin === coin)
  return {
    coin,
    holdings: wallet.coin.map(holdingOf),
    equity: held?.equity ?? '0',
    available: availableOf(wallet.totalAvailableBalance, held),
  }
}

/** The coins of the wallet's answer. */
export function readCoins(answer: unknown): readonly Coin[] {
  return walletIn('linear', answer).coin
}

/** One page of a list of positions, and where the next one begins. */
export function readPositionPage(answer: unknown): {
  positions: PricedPosition[]
  cursor: string
} {
  const { list, nextPageCursor } = readFrom(sourceOf('linear', positionCall), PositionPage, answer).result
  return { positions: list.map(pricedPosition), cursor: nextPageCursor }
}

function pricedPosition({
  symbol,
  positionIdx,
  side,
  size,
  avgPrice,
  unrealisedPnl,
  updatedTime: updatedAt,
}: Position): PricedPosition {
  const quantity = signed(size, side)
  return {
    symbol,
    side: positionIdx,
    quantity,
    entryPrice: avgPrice,
    unrealizedPnl: unrealisedPnl,
    updatedAt,
  }
}

/** The settings of a symbol, by its positions and the account's own. */
export function readSettings(positions: unknown, info: unknown): AccountSettings {
  const [first] = readFrom(sourceOf('linear', positionCall), Positions, positions)
  const { marginMode } = readFrom(sourceOf('linear', 'account.info'), AccountInfo, info).result
  return {
    // With portfolio margin there is none.
    leverage: first === undefined || isZero(first.leverage) ? '1' : first.leverage,
    marginMode: marginMode === 'ISOLATED_MARGIN' ? 'isolated' : 'cross',
    positionMode: modeOf(first?.positionIdx ?? 'both'),
  }
}

/** Returns a linear market's prices. */
export function readTicker(answer: unknown): Pick<AccountReading, 'bid' | 'ask' | 'mark'> {
  return pricesIn('linear', answer)
}

/** Returns the reading in spot's answers together; the holding of the base coin stands for the position. */
export function readSpotAccount(
  market: Pick<Market, 'base' | 'quote'>,
  [wallets, tickers]: readonly unknown[],
): AccountReading {
  const { coin: coins } = walletIn('spot', wallets)
  const { bid, ask, last } = pricesIn('spot', tickers)
  const holdings = coins.map(holdingOf)
  const held = (coin: string): Holding | undefined => holdings.find((holding) => holding.coin === coin)
  const [base, quote] = [held(market.base), held(market.quote)]
  return {
    coin: market.quote,
    holdings,
    equity: add(quote?.total ?? '0', multiply(base?.total ?? '0', bid)),
    available: quote?.free ?? '0',
    position: base?.total ?? '0',
    entryPrice: null,
    unrealizedPnl: '0',
    settings: null,
    ...{ bid, ask, mark: last },
  }
}

/** Returns a market's bid and ask. */
export function readQuote(category: Category, tickers: unknown): { bid: string; ask: string } {
  const { bid, ask } = pricesIn(category, tickers)
  return { bid, ask }
}

/**
 * Returns a market's prices. A side of the book that is empty has no quote: the last traded price stands for it, or the
 * other side where the two would cross.
 */
function pricesIn(category: Category, answer: unknown): Prices {
  const rows = readFrom(sourceOf(category, tickerCall), Tickers, answer)
  const { bid1Price, ask1Price, lastPrice, markPrice } = firstOf(rows, 'ticker')
  const [best, offered] = [priceOr(undefined, bid1Price), priceOr(undefined, ask1Price)]
  const last = priceOr(best ?? offered ?? priceOr(undefined, markPrice), lastPrice)
  if (last === undefined) throw new Error('no price')
  const bid = best ?? (offered === undefined ? last : least(offered, last))
  const ask = offered ?? (isGreater(bid, last) ? bid : last)
  return { bid, ask, last, mark: priceOr(last, markPrice) ?? last }
}

interface Prices {
  bid: string
  ask: string
  last: string
  mark: string
}

function priceOr(other: string | undefined, price: string): string | undefined {
  return isZero(price) ? other : price
}

function walletIn(category: Category, answer: unknown) {
  return firstOf(readFrom(sourceOf(category, walletCall), Wallets, answer), 'wallet')
}

function firstOf<Row>(rows: readonly Row[], name: string): Row {
  const [row] = rows
  if (row === undefined) throw new Error(`no ${name}`)
  return row
}

function holdingOf({ coin, walletBalance, locked, totalOrderIM, totalPositionIM }: Coin): Holding {
  const used = add(locked, add(totalOrderIM, totalPositionIM))
  return { coin, total: walletBalance, free: notBelowZero(subtract(walletBalance, used)) }
}

// In isolated margin the account has no common sum that is available: then it is what the coin itself leaves.
function availableOf(ofAccount: string, held: Coin | undefined): string {
  if (ofAccount !== '') return notBelowZero(ofAccount)
  return held === undefined ? '0' : holdingOf(held).free
}

function notBelowZero(amount: string): string {
  return isNegative(amount) ? '0' : amount
}
