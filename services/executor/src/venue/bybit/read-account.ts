import {
  absolute,
  add,
  DecimalText,
  isNegative,
  isZero,
  least,
  multiply,
  negate,
  subtract,
} from '@tripline/proto/decimal'
import { z } from 'zod'
import type { AccountReading, AccountSettings, HeldPosition, Holding } from '../../domain/account.ts'
import type { Market } from '../../domain/market.ts'
import { Amount, rowsOf } from './answers.ts'

const Coin = z.object({
  coin: z.string(),
  equity: Amount,
  walletBalance: Amount,
  locked: Amount,
  totalOrderIM: Amount,
  totalPositionIM: Amount,
})
type Coin = z.infer<typeof Coin>

/** GET /v5/account/wallet-balance of the unified account. */
const Wallets = rowsOf(z.object({ totalAvailableBalance: z.string(), coin: z.array(Coin) }))

const Position = z.object({
  symbol: z.string(),
  positionIdx: z.number(),
  side: z.string(),
  size: Amount,
  avgPrice: Amount,
  leverage: Amount,
  unrealisedPnl: Amount,
})
type Position = z.infer<typeof Position>

/** GET /v5/position/list of one symbol: one row, or one for each side in hedge mode. */
const Positions = rowsOf(Position)

/** GET /v5/market/tickers of one symbol; spot has no mark price. */
const Tickers = rowsOf(
  z.object({
    bid1Price: DecimalText,
    ask1Price: DecimalText,
    lastPrice: DecimalText,
    markPrice: DecimalText.optional(),
  }),
)

/** GET /v5/account/info. */
const AccountInfo = z.object({ result: z.object({ marginMode: z.string() }) })

/** What a linear market's answers say together; throws where one of them says nothing. */
export function readLinearAccount(
  coin: string,
  [wallets, positions, tickers, info]: readonly unknown[],
): AccountReading {
  const wallet = firstOf(Wallets.parse(wallets), 'wallet')
  const ticker = firstOf(Tickers.parse(tickers), 'ticker')
  const rows = Positions.parse(positions)
  const { marginMode } = AccountInfo.parse(info).result
  const held = wallet.coin.find((candidate) => candidate.coin === coin)
  return {
    coin,
    holdings: wallet.coin.map(holdingOf),
    equity: held?.equity ?? '0',
    available: availableOf(wallet.totalAvailableBalance, held),
    ...positionOf(rows),
    settings: settingsOf(rows, marginMode),
    bid: ticker.bid1Price,
    ask: ticker.ask1Price,
    mark: ticker.markPrice ?? ticker.lastPrice,
  }
}

/** What spot's answers say together; what is held of the base coin stands for the position. */
export function readSpotAccount(
  market: Pick<Market, 'base' | 'quote'>,
  [wallets, tickers]: readonly unknown[],
): AccountReading {
  const { coin: coins } = firstOf(Wallets.parse(wallets), 'wallet')
  const { bid1Price, ask1Price, lastPrice } = firstOf(Tickers.parse(tickers), 'ticker')
  const holdings = coins.map(holdingOf)
  const held = (coin: string): Holding | undefined => holdings.find((holding) => holding.coin === coin)
  const [base, quote] = [held(market.base), held(market.quote)]
  return {
    coin: market.quote,
    holdings,
    equity: add(quote?.total ?? '0', multiply(base?.total ?? '0', bid1Price)),
    available: quote?.free ?? '0',
    position: base?.total ?? '0',
    entryPrice: null,
    unrealizedPnl: '0',
    settings: null,
    bid: bid1Price,
    ask: ask1Price,
    mark: lastPrice,
  }
}

/** What a market bids and asks. */
export function readQuote(tickers: unknown): { bid: string; ask: string } {
  const { bid1Price: bid, ask1Price: ask } = firstOf(Tickers.parse(tickers), 'ticker')
  return { bid, ask }
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

type Held = Pick<AccountReading, 'position' | 'entryPrice' | 'unrealizedPnl' | 'hedged'>

function positionOf(rows: readonly Position[]): Held {
  const rowOf = (index: number): HeldPosition =>
    heldPosition(rows.find(({ positionIdx }) => positionIdx === index))
  if (!isHedged(rows)) {
    const { quantity, entryPrice, unrealizedPnl } = rowOf(0)
    return { position: quantity, entryPrice, unrealizedPnl }
  }
  const [long, short] = [rowOf(1), rowOf(2)]
  return { ...netOf(long, short), hedged: { long, short } }
}

function isHedged(rows: readonly Position[]): boolean {
  return rows.some(({ positionIdx }) => positionIdx !== 0)
}

function heldPosition(row: Position | undefined): HeldPosition {
  if (row === undefined || isZero(row.size)) return { quantity: '0', entryPrice: null, unrealizedPnl: '0' }
  const quantity = row.side === 'Sell' ? negate(row.size) : row.size
  return { quantity, entryPrice: row.avgPrice, unrealizedPnl: row.unrealisedPnl }
}

// Both sides together have an entry price only where there is one of them.
function netOf(long: HeldPosition, short: HeldPosition): Held {
  const isOneSided = isZero(least(absolute(long.quantity), absolute(short.quantity)))
  return {
    position: add(long.quantity, short.quantity),
    entryPrice: isOneSided ? (long.entryPrice ?? short.entryPrice) : null,
    unrealizedPnl: add(long.unrealizedPnl, short.unrealizedPnl),
  }
}

function settingsOf(rows: readonly Position[], marginMode: string): AccountSettings {
  return {
    leverage: rows[0]?.leverage ?? '1',
    marginMode: marginMode === 'ISOLATED_MARGIN' ? 'isolated' : 'cross',
    positionMode: isHedged(rows) ? 'hedge' : 'oneWay',
  }
}
