import {
  leverageOf,
  type MarginMode,
  marginModeOf,
  type PositionMode,
  positionIn,
  positionKey,
  positionModeOf,
  positionsIn,
  type Settings,
  type Terms,
} from '../domain/account.ts'
import type { Refusal } from '../domain/filter.ts'
import { absolute } from '../domain/fixed.ts'
import { accountMargin, positionRisk } from '../domain/margin.ts'
import { type MarketId, marketOf, marketsOf, VENUES, type Venue } from '../domain/market.ts'
import type { PositionSide } from '../domain/order.ts'
import { type Entry, openOrdersOf } from '../store/ledger.ts'
import { freeOf } from './affordable.ts'
import type { AccountReason } from './event.ts'
import { putAccount, type Run, touch } from './run.ts'

function choose(
  run: Run,
  entry: Entry,
  settings: Partial<Settings>,
  reason: AccountReason,
  market?: MarketId,
): void {
  const chosen = { ...entry.account.settings, ...settings }
  putAccount(run, entry, { ...entry.account, settings: chosen, updatedAt: run.now })
  touch(run, entry, reason, undefined, market)
}

/** Sets the leverage of a market, where what it binds then can be paid. */
export function setLeverage(run: Run, entry: Entry, market: MarketId, leverage: number): Refusal | undefined {
  if (leverage < 1 || leverage > (marketOf(market).brackets[0]?.leverage ?? 1)) return 'leverageAboveMax'
  if (leverageOf(entry.account, market) === leverage) return 'leverageUnchanged'
  const settings = {
    ...entry.account.settings,
    leverage: new Map(entry.account.settings.leverage).set(market, leverage),
  }
  const after = { ...entry.account, settings }
  const margin = accountMargin(after, openOrdersOf(entry), run.floor.board.of, marketOf(market).quote)
  if (margin.free < 0n && leverage < leverageOf(entry.account, market)) return 'marginInsufficient'
  choose(run, entry, settings, 'leverage', market)
  return undefined
}

/** Sets the margin mode of a market's positions, while there is none and no order. */
export function setMarginMode(
  run: Run,
  entry: Entry,
  market: MarketId,
  mode: MarginMode,
): Refusal | undefined {
  if (marginModeOf(entry.account, market) === mode) return 'marginModeUnchanged'
  if (positionsIn(entry.account, market).length > 0) return 'positionExists'
  if (openOrdersOf(entry, market).length > 0) return 'openOrdersExist'
  const marginMode = new Map(entry.account.settings.marginMode).set(market, mode)
  choose(run, entry, { marginMode }, 'marginMode', market)
  return undefined
}

/** Sets whether a venue or a market has one position or two, while there is none and no order. */
export function setPositionMode(
  run: Run,
  entry: Entry,
  scope: Venue | MarketId,
  mode: PositionMode,
): Refusal | undefined {
  const markets = isVenue(scope) ? marketsOf(scope) : [marketOf(scope)]
  if (markets.every((market) => positionModeOf(entry.account, market) === mode))
    return 'positionModeUnchanged'
  if (markets.some(({ id }) => positionsIn(entry.account, id).length > 0)) return 'positionExists'
  if (markets.some(({ id }) => openOrdersOf(entry, id).length > 0)) return 'openOrdersExist'
  const positionMode = new Map(entry.account.settings.positionMode)
  // Choices for one market give way to the choice for all.
  if (isVenue(scope)) for (const { id } of markets) positionMode.delete(id)
  choose(run, entry, { positionMode: positionMode.set(scope, mode) }, 'marginMode')
  return undefined
}

/** Replaces what of the account's terms is named. */
export function setTerms(run: Run, entry: Entry, named: Terms): void {
  const { settings } = entry.account
  const terms = { ...settings.terms, ...named }
  putAccount(run, entry, { ...entry.account, settings: { ...settings, terms }, updatedAt: run.now })
}

function isVenue(scope: Venue | MarketId): scope is Venue {
  return (VENUES as readonly string[]).includes(scope)
}

/** Adds to what is set aside for an isolated position, or takes from it what it does not need. */
export function addMargin(
  run: Run,
  entry: Entry,
  market: MarketId,
  side: PositionSide,
  amount: bigint,
): Refusal | undefined {
  const position = positionIn(entry.account, market, side)
  if (position.quantity === 0n || position.marginMode !== 'isolated') return 'noPosition'
  if (amount > freeOf(run.floor, entry, marketOf(market).quote)) return 'marginInsufficient'
  const after = { ...position, margin: position.margin + amount, updatedAt: run.now }
  const risk = positionRisk(entry.account, marketOf(market), after, run.floor.board.of(market))
  const needed = absolute(risk.notional) / BigInt(leverageOf(entry.account, market))
  const profit = risk.unrealized < 0n ? risk.unrealized : 0n
  if (amount < 0n && after.margin + profit < needed) return 'marginInsufficient'
  const positions = new Map(entry.account.positions).set(positionKey(market, side), after)
  putAccount(run, entry, { ...entry.account, positions, updatedAt: run.now })
  touch(run, entry, 'margin', marketOf(market).quote, market)
  return undefined
}
