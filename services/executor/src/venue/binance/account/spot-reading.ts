import { setImmediate as turn } from 'node:timers/promises'
import { add, isZero, multiply } from '@tripline/proto/decimal'
import type { AccountReading, Holding } from '../../../domain/account/account.ts'
import type { KnownReading } from '../../../domain/account/known-reading.ts'
import type { ReadingNeed, ReadingScope } from '../../../domain/account/reading-scope.ts'
import type { ViewedPosition } from '../../../domain/account/view.ts'
import type { Market } from '../../../domain/order/market.ts'
import type { AskedAccount, LiveView } from '../../account/live-view.ts'
import { type RestClient, type Urgency, urgencyOf } from '../../http/rest-client.ts'
import { readQuote } from '../answers.ts'
import { readHoldings } from '../orders/spot-answers.ts'
import type { SpotPrices } from '../prices/spot-prices.ts'
import { bandPriceNow } from './spot-band-price.ts'

/** The venue's answer on an account: every coin it lists. */
export type SpotAnswers = readonly Holding[]

/** The sources of readings. */
interface SpotSources {
  restClient: RestClient
  view: LiveView<SpotAnswers>
  prices: SpotPrices
}

/** The subject of a reading: an account as a market sees it. */
interface SpotSubject {
  symbol: string
  market: Market | undefined
}

/** Asks for what an account has of every coin. */
export async function askSpotAccount(
  { get }: RestClient,
  urgency: Urgency,
): Promise<AskedAccount<SpotAnswers>> {
  const { holdings, changedAt } = readHoldings(await get('/api/v3/account', {}, urgency))
  return {
    answers: holdings,
    account: {
      wallets: new Map(),
      positions: holdings.filter(({ total }) => !isZero(total)).map(viewedCoin),
    },
    changedAt,
  }
}

function viewedCoin({ coin, total, free }: Holding): ViewedPosition {
  return { symbol: coin, side: 'both', quantity: total, entryPrice: null, free }
}

/** Reads an account for one of its markets: from memory where that is enough and as good, or else by asking. */
export async function readSpot(
  sources: SpotSources,
  place: SpotSubject,
  need: ReadingNeed,
): Promise<AccountReading> {
  const { view, prices } = sources
  const { scope } = need
  if (scope !== undefined) {
    view.use()
    prices.follow(place.symbol)
  }
  // Coins of which there is nothing are known of no more than that: a list of all is asked for.
  const isRecalled = scope !== undefined && scope !== 'all'
  const known = isRecalled ? await recalled(sources, place, need) : undefined
  return known ?? (await asked(sources, place, need))
}

/** Returns what is known of an account for one of its markets without asking. */
export function knownSpot(
  { view, prices }: Pick<SpotSources, 'view' | 'prices'>,
  place: SpotSubject,
  scope: ReadingScope,
): KnownReading | undefined {
  view.use()
  prices.follow(place.symbol)
  const book = prices.book(place.symbol)
  if (book === undefined) return undefined
  const known = { ...book, bandPrice: prices.reference(place.symbol) ?? null }
  const holdings = scope === 'all' ? undefined : view.holdings()
  const account = holdings && readingOf(place, holdings, known)
  return { prices: { ...known, mark: known.bid }, ...(account && { account }) }
}

/** Returns the known quantity of a market's base coin; undefined where it has to be read. The account is followed from now on. */
export function heldNow(view: SpotSources['view'], market: SpotSubject['market']): string | undefined {
  view.use()
  // An order that is not reported yet may have changed any coin.
  const holdings = market && view.holdings()
  return holdings && (holdings.find(({ coin }) => coin === market.base)?.total ?? '0')
}

async function recalled(
  sources: SpotSources,
  place: SpotSubject,
  need: ReadingNeed,
): Promise<AccountReading | undefined> {
  const { view } = sources
  if (view.holdings() === undefined) return undefined
  const prices = await pricesOf(sources, place.symbol, need)
  // Updates that came meanwhile count, also those that wait to be read.
  await turn()
  const holdings = view.holdings()
  return holdings && readingOf(place, holdings, prices)
}

async function asked(sources: SpotSources, place: SpotSubject, need: ReadingNeed): Promise<AccountReading> {
  const [holdings, prices] = await Promise.all([
    sources.view.read(need.isUrgent ?? false),
    pricesOf(sources, place.symbol, need),
  ])
  return readingOf(place, holdings, prices)
}

type Prices = Pick<AccountReading, 'bid' | 'ask' | 'bandPrice'>

async function pricesOf(
  { restClient, prices }: SpotSources,
  symbol: string,
  { isBandPriceAsked, isUrgent }: ReadingNeed,
): Promise<Prices> {
  const urgency = urgencyOf(isUrgent)
  const reference = prices.reference(symbol)
  const [book, bandPrice] = await Promise.all([
    prices.book(symbol) ?? restClient.get('/api/v3/ticker/bookTicker', { symbol }, urgency).then(readQuote),
    isBandPriceAsked ? bandPriceNow(restClient, symbol, urgency, reference) : (reference ?? null),
  ])
  return { ...book, bandPrice }
}

/** The holding of the base coin stands for the position: it is what a sale can shrink. */
function readingOf({ market }: SpotSubject, holdings: readonly Holding[], prices: Prices): AccountReading {
  const held = (coin: string | undefined) => holdings.find((holding) => holding.coin === coin)
  const [base, quote] = [held(market?.base), held(market?.quote)]
  return {
    coin: market?.quote ?? 'USDT',
    holdings,
    equity: add(quote?.total ?? '0', multiply(base?.total ?? '0', prices.bid)),
    available: quote?.free ?? '0',
    position: base?.total ?? '0',
    entryPrice: null,
    unrealizedPnl: '0',
    settings: null,
    ...prices,
    mark: prices.bid,
  }
}
