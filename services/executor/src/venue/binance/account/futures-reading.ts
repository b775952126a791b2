import { isZero } from '@tripline/proto/decimal'
import { z } from 'zod'
import { type AccountReading, asRead } from '../../../domain/account/account.ts'
import type { KnownReading } from '../../../domain/account/known-reading.ts'
import type { ReadingNeed, ReadingScope } from '../../../domain/account/reading-scope.ts'
import type { ViewedPosition } from '../../../domain/account/view.ts'
import { profitAt } from '../../../domain/account/viewed-account.ts'
import type { AskedAccount, LiveView } from '../../account/live-view.ts'
import { isOpen, keepKnown, knownNow, type Prices, type Recallable, recall } from '../../account/recall.ts'
import { type RestClient, type Urgency, urgencyOf } from '../../http/rest-client.ts'
import type { MarketPrices } from '../../prices/market-prices.ts'
import { Decimal } from '../../read/read-fields.ts'
import { readQuote } from '../answers.ts'
import {
  changedAt,
  type FuturesAccount,
  heldOf,
  modeOf,
  moneyOf,
  readAccount,
  readPositions,
  usualCoin,
  walletsOf,
} from './futures-account.ts'
import { type Position, sideOf, wordOf } from './futures-position.ts'
import type { FuturesSettings } from './futures-settings.ts'

/** The venue's answers on an account: its money, and all its positions. */
export interface AccountAnswers {
  account: FuturesAccount
  positions: readonly { symbol: string }[]
}

/** The sources of readings. */
export interface ReadingSources {
  restClient: RestClient
  settings: FuturesSettings
  view: LiveView<AccountAnswers>
  prices: MarketPrices
  coinOf: Recallable['coinOf']
}

/** GET /fapi/v1/premiumIndex of one symbol. */
const PremiumIndex = z.object({ markPrice: Decimal })

const Rows = z.array(z.looseObject({ symbol: z.string() }))

/** Asks for an account: its money, and all its positions. */
export async function askAccount(
  { get }: RestClient,
  urgency: Urgency,
  coinOf: Recallable['coinOf'],
): Promise<AskedAccount<AccountAnswers>> {
  const [money, rows] = await Promise.all([
    get('/fapi/v3/account', {}, urgency),
    get('/fapi/v3/positionRisk', {}, urgency),
  ])
  const account = readAccount(money)
  const positions = Rows.parse(rows)
  const answers = { account, positions }
  const read = positionsIn(positions)
  if (read === undefined) return { answers, account: undefined }
  const viewed = { wallets: walletsOf(account, coinOf), positions: read.map(viewedOf) }
  return { answers, account: viewed, changedAt: changedAt(account, read) }
}

/** Returns what is held; undefined where that cannot be read as a whole. */
function positionsIn(rows: readonly unknown[]): Position[] | undefined {
  try {
    const positions = readPositions(rows)
    const isWhole = ({ entryPrice, positionAmt }: Position): boolean =>
      entryPrice !== undefined || isZero(positionAmt)
    return positions.every(isWhole) ? positions : undefined
  } catch {
    return undefined
  }
}

function viewedOf({ symbol, positionSide, positionAmt, entryPrice = '0' }: Position): ViewedPosition {
  return { symbol, side: sideOf(positionSide), quantity: positionAmt, entryPrice }
}

/** Reads an account for one of its symbols: from memory where that is enough and as good, or else by asking. */
export async function readFutures(
  sources: ReadingSources,
  symbol: string,
  need: ReadingNeed,
): Promise<AccountReading> {
  const known = recallable(sources)
  if (need.scope !== undefined) keepKnown(known, symbol, need.scope)
  const recalled = isRecalled(sources, need.scope) ? await recall(known, symbol, need) : undefined
  return recalled ?? (await asked(sources, symbol, need))
}

/** Returns what is known of an account for one of its symbols without asking. */
export function knownFutures(
  sources: ReadingSources,
  symbol: string,
  scope: ReadingScope,
): KnownReading | undefined {
  const known = knownNow(recallable(sources), symbol, scope)
  return known === undefined || isRecalled(sources, scope) ? known : { prices: known.prices }
}

/** With one margin for all coins, the venue alone knows its worth. */
function isRecalled({ settings }: ReadingSources, scope: ReadingScope | undefined): boolean {
  return scope !== 'equity' || settings.isMultiAssets() === false
}

async function asked(
  sources: ReadingSources,
  symbol: string,
  { isUrgent = false, areSettingsAsked = false }: ReadingNeed,
): Promise<AccountReading> {
  const { settings, view, coinOf } = sources
  const [{ account, positions }, prices, known] = await Promise.all([
    view.read(isUrgent),
    pricesOf(sources, symbol, isUrgent),
    areSettingsAsked ? settings.refresh(symbol, isUrgent) : settings.of(symbol, isUrgent),
  ])
  const own = readPositions(positions.filter((position) => position.symbol === symbol))
  const positionMode = modeOf(own) ?? known.positionMode
  const held = { ...heldOf(own, positionMode), settings: { ...known, positionMode } }
  const money = moneyOf(account, coinOf(symbol) ?? usualCoin, settings.isMultiAssets() ?? false)
  return { ...money, ...held, ...prices }
}

function recallable(sources: ReadingSources): Recallable {
  const { view, prices, coinOf, settings } = sources
  return {
    view,
    prices,
    coinOf,
    settings,
    pricesOf: async (symbol, isUrgent) => await pricesOf(sources, symbol, isUrgent),
    shownMode: (symbol) => shownMode(view, symbol),
    heldOf: (open, mode, mark) =>
      heldOf(
        open.map((position) => rowOf(position, mark)),
        mode,
      ),
  }
}

/** The position mode that open positions show; it is the same for all symbols. */
export function shownMode(
  { positions, account }: Pick<ReadingSources['view'], 'positions' | 'account'>,
  symbol: string,
) {
  const open = positions(symbol)?.find(isOpen) ?? account()?.positions.find(isOpen)
  return open && modeOf([{ positionSide: wordOf(open.side) }])
}

function rowOf(position: ViewedPosition, mark: string): Position {
  const { symbol, side, quantity } = position
  const entryPrice = asRead(position.entryPrice)
  const unRealizedProfit = profitAt(position, mark)
  return { symbol, positionSide: wordOf(side), positionAmt: quantity, entryPrice, unRealizedProfit }
}

/** Returns the market's prices: as they are reported, or else asked for, each on its own. */
async function pricesOf(
  { restClient: { get }, prices }: ReadingSources,
  symbol: string,
  isUrgent: boolean,
): Promise<Prices> {
  const urgency = urgencyOf(isUrgent)
  const [book, mark] = await Promise.all([
    prices.book(symbol) ?? get('/fapi/v1/ticker/bookTicker', { symbol }, urgency).then(readQuote),
    prices.mark(symbol) ?? get('/fapi/v1/premiumIndex', { symbol }, urgency).then(readMark),
  ])
  return { ...book, mark }
}

function readMark(answer: unknown): string {
  return PremiumIndex.parse(answer).markPrice
}
