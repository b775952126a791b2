import { setImmediate as turn } from 'node:timers/promises'
import { absolute, add, isZero } from '@tripline/proto/decimal'
import type { PositionSide } from '@tripline/proto/language/tree'
import type { AccountReading, AccountSettings, HeldPosition } from '../../domain/account/account.ts'
import type { KnownReading } from '../../domain/account/known-reading.ts'
import type { ReadingNeed, ReadingScope } from '../../domain/account/reading-scope.ts'
import type { ViewedPosition } from '../../domain/account/view.ts'
import { equityAt } from '../../domain/account/viewed-account.ts'
import type { MarketPrices } from '../prices/market-prices.ts'
import type { LiveView } from './live-view.ts'

/** A market's prices. */
export type Prices = Pick<AccountReading, 'bid' | 'ask' | 'mark'>

/** The sums of a symbol's positions. */
export type PositionSums = Pick<AccountReading, 'position' | 'entryPrice' | 'unrealizedPnl' | 'hedged'>

type PositionMode = AccountSettings['positionMode']

/** Returns one side of a symbol's positions as an account holds it; flat where there is none, or nothing in it. */
export function heldSide(position: HeldPosition | undefined): HeldPosition {
  if (position === undefined || isZero(position.quantity))
    return { quantity: '0', entryPrice: null, unrealizedPnl: '0' }
  const { quantity, entryPrice, unrealizedPnl } = position
  return { quantity, entryPrice, unrealizedPnl }
}

/** The knowledge of an account with positions, and the venue's way to read it. */
export interface Recallable {
  view: Pick<LiveView<unknown>, 'use' | 'positions' | 'account'>
  prices: MarketPrices
  /** Returns the coin that a market is settled in; undefined for one that was not listed when the markets were read. */
  coinOf: (symbol: string) => string | undefined
  settings: {
    /** As they were a moment ago at the latest; undefined where they were not requested then. */
    known: (symbol: string) => AccountSettings | undefined
    of: (symbol: string, isUrgent: boolean) => Promise<AccountSettings>
  }
  /** Returns the market's prices: as they are reported, or else asked for. */
  pricesOf: (symbol: string, isUrgent: boolean) => Promise<Prices>
  /** The position mode that open positions show, since it cannot be changed while they are. */
  shownMode: (symbol: string) => PositionMode | undefined
  heldOf: (open: readonly ViewedPosition[], mode: PositionMode, mark: string) => PositionSums
}

/** Has everything reported that readings like this one need. */
export function keepKnown({ view, prices }: Recallable, symbol: string, scope: ReadingScope): void {
  view.use()
  prices.follow(symbol)
  if (scope !== 'equity') return
  for (const position of view.account()?.positions ?? []) {
    if (isOpen(position)) prices.followMark(position.symbol)
  }
}

/** A reading from memory; undefined where that is not enough, or not as good as asking. */
export async function recall(
  sources: Recallable,
  symbol: string,
  { scope, isUrgent = false }: ReadingNeed,
): Promise<AccountReading | undefined> {
  const { view, settings, pricesOf, shownMode } = sources
  if (scope === undefined || scope === 'all' || view.positions(symbol) === undefined) return undefined
  const known = settings.known(symbol)
  const isModeKnown = known !== undefined || shownMode(symbol) !== undefined
  const [prices, asked = known] = await Promise.all([
    pricesOf(symbol, isUrgent),
    isModeKnown ? undefined : settings.of(symbol, isUrgent),
  ])
  // Reports that came meanwhile count, and so do those that have come in and wait to be received.
  await turn()
  return readingNow(sources, { symbol, scope, prices, settings: asked })
}

/** Returns what is known at this moment without asking; undefined if not even the price is. It is followed from now on. */
export function knownNow(sources: Recallable, symbol: string, scope: ReadingScope): KnownReading | undefined {
  keepKnown(sources, symbol, scope)
  const [book, mark] = [sources.prices.book(symbol), sources.prices.mark(symbol)]
  if (book === undefined || mark === undefined) return undefined
  const prices = { ...book, mark }
  const settings = sources.settings.known(symbol)
  // The free part of the money is the venue's to say.
  const account = scope === 'all' ? undefined : readingNow(sources, { symbol, scope, prices, settings })
  return { prices, ...(account && { account }) }
}

interface Wanted {
  symbol: string
  scope: ReadingScope
  prices: Prices
  settings: AccountSettings | undefined
}

function readingNow(
  sources: Recallable,
  { symbol, scope, prices, settings }: Wanted,
): AccountReading | undefined {
  const { view, coinOf, heldOf, shownMode } = sources
  const positions = view.positions(symbol)
  const positionMode = shownMode(symbol) ?? settings?.positionMode
  const coin = coinOf(symbol)
  if (positions === undefined || positionMode === undefined || coin === undefined) return undefined
  const markOf = (other: string): string | undefined =>
    other === symbol ? prices.mark : sources.prices.mark(other)
  const equity = scope === 'equity' ? equityOf(sources, coin, markOf) : null
  if (equity === undefined) return undefined
  const held = {
    ...heldOf(positions.filter(isOpen), positionMode, prices.mark),
    settings: settings ? { ...settings, positionMode } : null,
  }
  return { coin, holdings: [], equity, available: null, ...held, ...prices }
}

/**
 * The size of a symbol's positions as they are known, of one side or of all; undefined where they are to be read. They are
 * followed from now on.
 */
export function sizeNow(
  view: Pick<LiveView<unknown>, 'use' | 'positions'>,
  symbol: string,
  side?: PositionSide,
): string | undefined {
  view.use()
  const positions = view.positions(symbol)?.filter((one) => side === undefined || one.side === side)
  return positions?.reduce((sum, { quantity }) => add(sum, absolute(quantity)), '0')
}

/** True where a symbol's positions are known to be flat; asking does not have them followed. */
export function isFlatNow(view: Pick<LiveView<unknown>, 'positions'>, symbol: string): boolean {
  return view.positions(symbol)?.every((position) => !isOpen(position)) === true
}

/** True where something is held. */
export function isOpen({ quantity }: ViewedPosition): boolean {
  return !isZero(quantity)
}

/** Returns the account's equity in a coin with its positions in it; undefined if a part of it is to be asked for. */
function equityOf(
  { view, coinOf }: Recallable,
  coin: string,
  markOf: (symbol: string) => string | undefined,
): string | undefined {
  const account = view.account()
  const wallet = account?.wallets.get(coin)
  if (account === undefined || wallet === undefined) return undefined
  const open = account.positions.filter(isOpen)
  if (open.some(({ symbol }) => coinOf(symbol) === undefined)) return undefined
  const own = open.filter(({ symbol }) => coinOf(symbol) === coin)
  return equityAt(wallet, own, markOf)
}
