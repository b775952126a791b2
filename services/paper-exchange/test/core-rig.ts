import { expect } from '@jest/globals'
import { positionKey } from '../src/domain/account.ts'
import { lockOf } from '../src/domain/lock.ts'
import { isReducing } from '../src/domain/margin.ts'
import { findMarket, type Market, type MarketId, VENUES, type Venue } from '../src/domain/market.ts'
import { isOpen, type Order, type OrderRequest, signed } from '../src/domain/order.ts'
import type { Prices } from '../src/domain/quote.ts'
import { createExchange, type Exchange, type VenueEvent } from '../src/exchange.ts'
import { createLedger, type Entry, everyEntry, openOrdersOf } from '../src/store/ledger.ts'
import { createQuotes } from '../src/store/quotes.ts'
import { forgetful } from '../src/store/state-file.ts'

/** A venue in memory. */
export function newVenue(seed = 1): Exchange {
  return createExchange(createLedger(), createQuotes({ seed }), forgetful.writer)
}

export const usdt = (whole: number): bigint => BigInt(whole) * 100_000_000n

export function marketIn(venue: Venue, symbol = 'BTCUSDT'): Market {
  const market = findMarket(venue, symbol)
  if (!market) throw new Error(`${venue} has no ${symbol}`)
  return market
}

let lastName = 0

/** A market order to buy a thousandth of a bitcoin on Binance futures by default. */
export function order(venue: Venue, more: Partial<OrderRequest> = {}): OrderRequest {
  const market = marketIn(venue)
  lastName += 1
  return {
    market: market.id,
    clientOrderId: `t${lastName}`,
    side: 'buy',
    type: more.price === undefined ? 'market' : 'limit',
    timeInForce: 'gtc',
    quantity: 10n ** BigInt(market.quantityPrecision - 2),
    price: 0n,
    reduceOnly: false,
    positionSide: 'net',
    ...more,
  }
}

/** Prices around a middle in whole dollars; without a spread they lie a tick apart from it. */
export function around(middle: number, spread = 0): Prices {
  const half = spread === 0 ? 10_000_000n : usdt(spread)
  return { bid: usdt(middle) - half, ask: usdt(middle) + half }
}

/** The order of a placement; a refusal fails the test. */
export function placed(exchange: Exchange, entry: Entry, request: OrderRequest, now = 1): Order {
  const result = exchange.place(entry, request, now)
  if ('refusal' in result) throw new Error(`refused: ${result.refusal}`)
  return result.order
}

/** The order as it is now. */
export function latest(entry: Entry, { id }: Order): Order {
  const found = entry.orders.get(id)
  if (!found) throw new Error(`no order ${id}`)
  return found
}

/** All coins of the venue: what users and house have, and what positions were opened for. */
export function totals(exchange: Exchange): Record<string, bigint> {
  const sums: Record<string, bigint> = {}
  const add = (asset: string, amount: bigint) => {
    sums[asset] = (sums[asset] ?? 0n) + amount
  }
  for (const { account } of everyEntry(exchange.ledger)) {
    for (const [asset, amount] of account.balances) add(asset, amount)
    for (const { cost } of account.positions.values()) add('USDT', -cost)
  }
  return sums
}

/** Fails where anything that must always hold does not. */
export function expectSound(exchange: Exchange): void {
  expectPositionsCancelOut(exchange)
  for (const venue of VENUES) expectUncrossed(exchange, marketIn(venue))
  for (const entry of exchange.ledger.entries.values()) expectEntrySound(entry)
}

function expectPositionsCancelOut({ ledger }: Exchange): void {
  const sums = new Map<MarketId, bigint>()
  for (const { account } of everyEntry(ledger))
    for (const { market, quantity } of account.positions.values())
      sums.set(market, (sums.get(market) ?? 0n) + quantity)
  for (const sum of sums.values()) expect(sum).toBe(0n)
}

function expectUncrossed(exchange: Exchange, { id }: Market): void {
  const { bids, asks } = exchange.quotes.depth(id)
  const [bid, ask] = [bids[0]?.price, asks[0]?.price]
  if (bid !== undefined && ask !== undefined && bid >= ask) throw new Error(`${id} is crossed`)
}

function expectEntrySound(entry: Entry): void {
  for (const amount of entry.account.balances.values())
    if (amount < 0n) throw new Error('a balance is negative')
  const locks = new Map<string, bigint>()
  for (const one of entry.orders.values()) {
    expectOrderSound(entry, one)
    const lock = lockOf(one)
    if (lock) locks.set(lock.asset, (locks.get(lock.asset) ?? 0n) + lock.amount)
  }
  for (const [asset, amount] of entry.locked) {
    if ((locks.get(asset) ?? 0n) !== amount) throw new Error('the locks are not those of the open orders')
    if (amount > (entry.account.balances.get(asset) ?? 0n)) throw new Error('more is locked than there is')
  }
}

function expectOrderSound(entry: Entry, one: Order): void {
  if (one.filled > one.quantity && one.quantity > 0n)
    throw new Error('an order is filled beyond its quantity')
  if (isOpen(one) !== entry.openOrderIds.has(one.id)) throw new Error('an order is listed wrongly')
  let [quantity, value] = [0n, 0n]
  for (const fill of entry.fillsByMarket.get(one.market) ?? []) {
    if (fill.orderId !== one.id) continue
    quantity += fill.quantity
    value += fill.value
  }
  if (quantity !== one.filled || value !== one.filledValue) throw new Error('fills and order differ')
}

/** Follows the events and fails if they do not agree with the accounts. */
export function watch(exchange: Exchange) {
  const held = new Map<string, bigint>()
  const statuses = new Map<number, Order['status']>()
  const onEvent = (event: VenueEvent): void => {
    if (event.kind === 'account' && event.reason === 'reset') {
      for (const key of held.keys()) if (key.startsWith(event.entry.apiKey)) held.set(key, 0n)
    }
    if (event.kind !== 'order') return
    const { order: version, entry, fill } = event
    const was = statuses.get(version.id)
    if (was !== undefined && was !== 'open' && was !== 'untriggered')
      throw new Error(`an order came back from ${was}`)
    statuses.set(version.id, version.status)
    if (fill) follow(held, entry, version, fill.quantity)
  }
  exchange.subscribe(onEvent)
  return () => {
    for (const entry of exchange.ledger.entries.values()) {
      for (const { market, side, quantity } of entry.account.positions.values()) {
        expect(held.get(`${entry.apiKey} ${positionKey(market, side)}`)).toBe(quantity)
      }
      for (const [id, one] of entry.orders) expect([id, statuses.get(id)]).toEqual([id, one.status])
      expect(openOrdersOf(entry).length).toBe(entry.openOrderIds.size)
    }
  }
}

function follow(held: Map<string, bigint>, entry: Entry, version: Order, quantity: bigint): void {
  if (version.market.includes('spot')) return
  const key = `${entry.apiKey} ${positionKey(version.market, version.positionSide)}`
  const before = held.get(key) ?? 0n
  const after = before + signed(version.side, quantity)
  held.set(key, after)
  if (!isReducing(version)) return
  const shrinks = before > 0n ? after >= 0n && after < before : after <= 0n && after > before
  if (!shrinks) throw new Error(`a reducing order took ${before} to ${after}`)
}
