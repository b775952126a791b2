import { add, DecimalText, isNegative, multiply, subtract } from '@tripline/proto/decimal'
import { z } from 'zod'
import type { AccountReading, AccountSettings, Holding } from '../../domain/account.ts'
import type { Market } from '../../domain/market.ts'
import { Amount, pageOf, rowsOf } from './answers.ts'
import type { PricedPosition } from './held.ts'
import { modeOf, PositionIdx, signed } from './linear-rows.ts'

const Coin = z.object({
  coin: z.string(),
  equity: Amount,
  walletBalance: Amount,
  unrealisedPnl: Amount.default('0'),
  locked: Amount,
  totalOrderIM: Amount,
  totalPositionIM: Amount,
})
type Coin = z.infer<typeof Coin>

/** GET /v5/account/wallet-balance of the unified account. */
const Wallets = rowsOf(z.object({ totalAvailableBalance: z.string(), coin: z.array(Coin) }))

const Position = z.object({
  symbol: z.string(),
  positionIdx: PositionIdx,
  side: z.string(),
  size: Amount,
  avgPrice: Amount,
  leverage: Amount,
  unrealisedPnl: Amount,
})
type Position = z.infer<typeof Position>

/** GET /v5/position/list of one symbol: one row, or one for each side in hedge mode. Of a coin: what is open. */
const Positions = rowsOf(Position)
const PositionPage = pageOf(Position)

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

/** What the wallet's answer says of money; `coin` is what the market is settled in. */
export function readMoney(
  answer: unknown,
  coin: string,
): Pick<AccountReading, 'coin' | 'holdings' | 'equity' | 'available'> {
  const wallet = firstOf(Wallets.parse(answer), 'wallet')
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
  return firstOf(Wallets.parse(answer), 'wallet').coin
}

/** One page of a list of positions, and where the next one begins. */
export function readPositionPage(answer: unknown): {
  positions: PricedPosition[]
  cursor: string | undefined
} {
  const { list, nextPageCursor } = PositionPage.parse(answer).result
  return { positions: list.map(pricedPosition), cursor: nextPageCursor }
}

function pricedPosition({
  symbol,
  positionIdx,
  side,
  size,
  avgPrice,
  unrealisedPnl,
}: Position): PricedPosition {
  const quantity = signed(size, side)
  return { symbol, side: positionIdx, quantity, entryPrice: avgPrice, unrealizedPnl: unrealisedPnl }
}

/** The settings of a symbol, by its positions and the account's own. */
export function readSettings(positions: unknown, info: unknown): AccountSettings {
  const [first] = Positions.parse(positions)
  const { marginMode } = AccountInfo.parse(info).result
  return {
    leverage: first?.leverage ?? '1',
    marginMode: marginMode === 'ISOLATED_MARGIN' ? 'isolated' : 'cross',
    positionMode: modeOf(first?.positionIdx ?? 'both'),
  }
}

/** What a linear market is at. */
export function readTicker(answer: unknown): Pick<AccountReading, 'bid' | 'ask' | 'mark'> {
  const { bid1Price, ask1Price, lastPrice, markPrice } = firstOf(Tickers.parse(answer), 'ticker')
  return { bid: bid1Price, ask: ask1Price, mark: markPrice ?? lastPrice }
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
