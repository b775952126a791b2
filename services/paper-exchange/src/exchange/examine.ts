import { positionModeOf } from '../domain/account.ts'
import { failedFilter, type Refusal } from '../domain/filter.ts'
import { isReducing } from '../domain/margin.ts'
import { type Market, marketOf } from '../domain/market.ts'
import { isAlgo, isOpen, type OrderRequest } from '../domain/order.ts'
import { watched } from '../domain/quote.ts'
import { firesAtOnce } from '../domain/trigger.ts'
import { type Entry, findAlgoByClientOrderId, findByClientOrderId, openOrdersOf } from '../store/ledger.ts'
import { reducible } from './fill.ts'
import { wrongAttached } from './protect-check.ts'
import type { Floor } from './run.ts'

/** Why an order is not taken, as far as that is known before the book is looked at. */
export function examine(floor: Floor, entry: Entry, request: OrderRequest): Refusal | undefined {
  const market = marketOf(request.market)
  const quote = floor.board.of(market.id)
  return (
    failedFilter(market, request, quote) ??
    wrongSide(entry, market, request) ??
    knownId(entry, request) ??
    tooMany(entry, market, request) ??
    wrongAttached(market, request, quote) ??
    (request.trigger ? wrongTrigger(floor, entry, request) : undefined)
  )
}

function wrongSide(entry: Entry, market: Market, request: OrderRequest): Refusal | undefined {
  if (market.kind === 'spot') return undefined
  const isHedged = positionModeOf(entry.account, market) === 'hedge'
  if (isHedged === (request.positionSide === 'net')) return 'positionSideMismatch'
  const opens = request.positionSide === (request.side === 'buy' ? 'long' : 'short')
  return request.reduceOnly && opens ? 'reduceOnlyRefused' : undefined
}

// Binance forgets an id with its order, Bybit never.
function knownId(entry: Entry, request: OrderRequest): Refusal | undefined {
  const { market, clientOrderId } = request
  if (clientOrderId === '') return undefined
  if (market.startsWith('bybit')) {
    return entry.everUsedClientOrderIds.get('bybit')?.has(clientOrderId) ? 'clientOrderIdUsed' : undefined
  }
  const find = isAlgo(request) ? findAlgoByClientOrderId : findByClientOrderId
  const known = find(entry, market, clientOrderId)
  return known && isOpen(known) ? 'clientOrderIdOpen' : undefined
}

function tooMany(entry: Entry, market: Market, request: OrderRequest): Refusal | undefined {
  if (request.trigger) return tooManyWaiting(entry, market)
  const here = entry.openByMarket.get(market.id)
  if (!here || here.size < market.maxOrders) return undefined
  const rests =
    request.type === 'limit' && (request.timeInForce === 'gtc' || request.timeInForce === 'postOnly')
  const open = openOrdersOf(entry, market.id).filter(({ status }) => status === 'open')
  return rests && open.length >= market.maxOrders ? 'tooManyOpenOrders' : undefined
}

// Since 2025-12 Binance futures counts conditional orders over all symbols (change log, migration to the algo service).
function tooManyWaiting(entry: Entry, { id, venue, maxConditionalOrders }: Market): Refusal | undefined {
  const isOverAll = venue === 'binance-futures'
  const held = isOverAll ? entry.openOrderIds : entry.openByMarket.get(id)
  if (!held || held.size < maxConditionalOrders) return undefined
  const waiting = openOrdersOf(entry, isOverAll ? undefined : id).filter(
    ({ market, status, origin }) =>
      marketOf(market).venue === venue && status === 'untriggered' && origin !== 'protection',
  )
  return waiting.length >= maxConditionalOrders ? 'tooManyConditionalOrders' : undefined
}

function wrongTrigger(floor: Floor, entry: Entry, request: OrderRequest): Refusal | undefined {
  const market = marketOf(request.market)
  const { trigger } = request
  if (!trigger) return undefined
  if (firesAtOnce(market, trigger, watched(market, floor.board.of(market.id), trigger.by)))
    return 'triggersAtOnce'
  if (closesAlready(entry, request)) return 'closePositionExists'
  // Binance looks for the position only when the order wakes.
  const looksNow = market.venue === 'bybit-linear' && isReducing(request)
  return looksNow && reducible(entry.account, request) === 0n ? 'reduceOnlyRefused' : undefined
}

// One order of a kind may close a whole position: one above the price and one below it.
function closesAlready(entry: Entry, request: OrderRequest): boolean {
  if (!request.closePosition || request.market.startsWith('bybit')) return false
  return openOrdersOf(entry, request.market).some(
    (order) =>
      order.closePosition === true &&
      order.side === request.side &&
      order.positionSide === request.positionSide &&
      order.trigger?.when === request.trigger?.when,
  )
}
