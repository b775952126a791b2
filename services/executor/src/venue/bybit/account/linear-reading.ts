import { isZero } from '@tripline/proto/decimal'
import type { AccountReading } from '../../../domain/account/account.ts'
import type { KnownReading } from '../../../domain/account/known-reading.ts'
import type { ReadingNeed, ReadingScope } from '../../../domain/account/reading-scope.ts'
import { profitAt } from '../../../domain/account/viewed-account.ts'
import type { AskedAccount, LiveView } from '../../account/live-view.ts'
import { isOpen, keepKnown, knownNow, type Prices, type Recallable, recall } from '../../account/recall.ts'
import { type RestClient, urgencyOf } from '../../http/rest-client.ts'
import type { MarketPrices } from '../../prices/market-prices.ts'
import { modeOf, walletsOf } from './linear-rows.ts'
import type { LinearSettings } from './linear-settings.ts'
import type { PlainCoins } from './plain-coins.ts'
import { type PricedPosition, sumsOf } from './position-sums.ts'
import { readCoins, readMoney, readPositionPage, readTicker } from './read-account.ts'

/** The venue's answers on an account: its wallet, and all its open positions. */
export interface AccountAnswers {
  wallet: unknown
  positions: readonly PricedPosition[]
}

/** The sources of readings. */
export interface ReadingSources {
  restClient: Pick<RestClient, 'get'>
  settings: LinearSettings
  view: LiveView<AccountAnswers>
  prices: MarketPrices
  plain: PlainCoins
  coinOf: Recallable['coinOf']
}

// The settlement coin of markets that we know nothing else of.
const usualCoin = 'USDT'
const pageSize = 200
// More positions than the venue has symbols.
const mostPages = 10

/** Asks for an account: its wallet, and its positions that are settled in these coins. */
export async function askAccount(
  { restClient, plain }: Pick<ReadingSources, 'restClient' | 'plain'>,
  coins: readonly string[],
  isUrgent: boolean,
): Promise<AskedAccount<AccountAnswers>> {
  const note = plain.asking()
  const [wallet, ...lists] = await Promise.all([
    askWallet(restClient, isUrgent),
    ...coins.map(async (coin) => await listPositions(restClient, coin, isUrgent, readPositionPage)),
  ])
  const positions = lists.flat()
  const held = readCoins(wallet)
  note(held)
  const account = { wallets: walletsOf(held), positions: positions.map(unpriced) }
  return { answers: { wallet, positions }, account }
}

/** Asks for the wallet of a unified account. */
export async function askWallet({ get }: ReadingSources['restClient'], isUrgent?: boolean): Promise<unknown> {
  return await get('/v5/account/wallet-balance', { accountType: 'UNIFIED' }, urgencyOf(isUrgent))
}

/** Lists the open positions that are settled in a coin, page by page. */
export async function listPositions<Row>(
  { get }: ReadingSources['restClient'],
  settleCoin: string,
  isUrgent: boolean,
  readPage: (answer: unknown) => { positions: Row[]; cursor: string },
): Promise<Row[]> {
  const positions: Row[] = []
  let cursor: string | undefined
  for (let page = 0; page < mostPages; page++) {
    const query = { category: 'linear', settleCoin, limit: pageSize, ...(cursor ? { cursor } : {}) }
    const answer = readPage(await get('/v5/position/list', query, urgencyOf(isUrgent)))
    positions.push(...answer.positions)
    cursor = answer.cursor
    if (answer.positions.length < pageSize || !cursor) return positions
  }
  throw new Error('the exchange lists positions without end')
}

/**
 * When the positions of a symbol changed last by these and the venue's clock; undefined where it does not say. Lists leave
 * out what is flat, such as one side of a hedge, which is asked for by its name; 0 where that is not flat.
 */
export async function changedAt(
  { get }: ReadingSources['restClient'],
  positions: readonly PricedPosition[],
  symbol: string,
  isUrgent: boolean,
): Promise<number | undefined> {
  const listed = positions.filter((position) => position.symbol === symbol)
  const isListed = (one: PricedPosition['side']): boolean => listed.some(({ side }) => side === one)
  if (isListed('both') || (isListed('long') && isListed('short'))) return lastOf(listed)
  const query = { category: 'linear', symbol }
  const named = readPositionPage(await get('/v5/position/list', query, urgencyOf(isUrgent))).positions
  const others = named.filter(({ side }) => !isListed(side))
  return others.every(({ quantity }) => isZero(quantity)) ? lastOf([...listed, ...others]) : 0
}

function lastOf(positions: readonly PricedPosition[]): number | undefined {
  const times = positions.flatMap(({ updatedAt }) => (updatedAt === undefined ? [] : [updatedAt]))
  return times.length > 0 ? Math.max(...times) : undefined
}

function unpriced({ symbol, side, quantity, entryPrice }: PricedPosition) {
  return { symbol, side, quantity, entryPrice }
}

/** Reads an account for one of its symbols: from memory where that is enough and as good, or else by asking. */
export async function readLinear(
  sources: ReadingSources,
  symbol: string,
  need: ReadingNeed,
): Promise<AccountReading> {
  const known = recallable(sources)
  if (need.scope !== undefined) keepKnown(known, symbol, need.scope)
  return (await recall(known, symbol, need)) ?? (await asked(sources, symbol, need))
}

/** Returns what is known of an account for one of its symbols without asking. */
export function knownLinear(
  sources: ReadingSources,
  symbol: string,
  scope: ReadingScope,
): KnownReading | undefined {
  return knownNow(recallable(sources), symbol, scope)
}

async function asked(
  sources: ReadingSources,
  symbol: string,
  { scope, isUrgent = false }: ReadingNeed,
): Promise<AccountReading> {
  const { settings, view, coinOf } = sources
  const askSettings = scope === undefined ? settings.refresh : settings.of
  const [{ wallet, positions }, prices, known] = await Promise.all([
    view.read(isUrgent),
    pricesOf(sources, symbol, isUrgent),
    askSettings(symbol, isUrgent),
  ])
  const own = positions.filter((position) => position.symbol === symbol)
  const positionMode = shownBy(own) ?? known.positionMode
  const held = { ...sumsOf(own, positionMode), settings: { ...known, positionMode } }
  return { ...readMoney(wallet, coinOf(symbol) ?? usualCoin), ...held, ...prices }
}

function recallable(sources: ReadingSources): Recallable {
  const { view, prices, coinOf, settings } = sources
  return {
    view: { ...view, account: () => plainAccount(sources) },
    prices,
    coinOf,
    settings,
    pricesOf: async (symbol, isUrgent) => await pricesOf(sources, symbol, isUrgent),
    shownMode: (symbol) => shownBy((view.positions(symbol) ?? []).filter(isOpen)),
    heldOf: (open, mode, mark) =>
      sumsOf(
        open.map((position) => ({ ...position, unrealizedPnl: profitAt(position, mark) })),
        mode,
      ),
  }
}

/** Each symbol has a position mode of its own. */
function shownBy([position]: readonly { side: PricedPosition['side'] }[]) {
  return position && modeOf(position.side)
}

/** The account without the coins that are worth more than what is reported on them comes to. */
function plainAccount({ view, plain }: ReadingSources): ReturnType<ReadingSources['view']['account']> {
  const account = view.account()
  const wallets = [...(account?.wallets ?? [])].filter(([coin]) => plain.has(coin))
  return account && { ...account, wallets: new Map(wallets) }
}

/** Returns the market's prices: as they are reported, or else asked for. */
async function pricesOf(
  { restClient, prices }: ReadingSources,
  symbol: string,
  isUrgent: boolean,
): Promise<Prices> {
  const [book, mark] = [prices.book(symbol), prices.mark(symbol)]
  if (book !== undefined && mark !== undefined) return { ...book, mark }
  const query = { category: 'linear', symbol }
  const ticker = readTicker(await restClient.get('/v5/market/tickers', query, urgencyOf(isUrgent)))
  return { ...ticker, ...book, ...(mark !== undefined && { mark }) }
}
