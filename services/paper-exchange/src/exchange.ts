import { randomBytes } from 'node:crypto'
import { type MarginMode, openAccount, type PositionMode, type Terms } from './domain/account.ts'
import type { Refusal } from './domain/filter.ts'
import { addMarket, type Market, type MarketId, type Venue } from './domain/market.ts'
import type { Amendment, Order, OrderRequest, PositionSide, Protection } from './domain/order.ts'
import type { Prices } from './domain/quote.ts'
import { amend } from './exchange/amend.ts'
import { cancel } from './exchange/cancel.ts'
import type { VenueEvent } from './exchange/event.ts'
import { payDueFunding } from './exchange/fund.ts'
import { placeList } from './exchange/list.ts'
import { depthOf, marketOrdersFrom, ordersOfMarket } from './exchange/market-orders.ts'
import { check, place } from './exchange/place.ts'
import type { ListPlaced, ListRequest, Placed } from './exchange/placed.ts'
import { protect } from './exchange/protect.ts'
import { reset } from './exchange/reset.ts'
import { type Floor, type Meddling, markNew, perform, putQuotes, type Run, touch } from './exchange/run.ts'
import { addMargin, setLeverage, setMarginMode, setPositionMode, setTerms } from './exchange/settings.ts'
import { moveQuotes } from './exchange/sweep.ts'
import { tidy } from './exchange/tidy.ts'
import { addEntry, type Entry, everyEntry, type Ledger } from './store/ledger.ts'
import type { QuoteBoard, Quotes } from './store/quotes.ts'
import type { StateWriter } from './store/state-writer.ts'

export type { AccountReason, VenueEvent } from './exchange/event.ts'
export type { ListPlaced, ListRequest, Placed } from './exchange/placed.ts'
export type { Meddling } from './exchange/run.ts'

/** The venue itself: accounts, orders and prices, the same for every wire. Times are milliseconds, given by the caller. */
export type Exchange = Readonly<{
  ledger: Ledger
  quotes: Quotes
  open: (balances: ReadonlyMap<string, bigint>, now: number) => Entry
  /** Ends all orders and positions and gives the account these balances instead of its own. */
  reset: (entry: Entry, balances: ReadonlyMap<string, bigint>, now: number) => void
  place: (entry: Entry, request: OrderRequest, now: number) => Placed
  /** All checks of a placement; nothing is done. */
  check: (entry: Entry, request: OrderRequest, now: number) => Refusal | undefined
  placeList: (entry: Entry, request: ListRequest, now: number) => ListPlaced
  /** Cancels an open or untriggered order, and with a leg of a list the other one. */
  cancel: (entry: Entry, order: Order, now: number) => Order
  amend: (entry: Entry, order: Order, to: Amendment, now: number) => Placed
  setLeverage: (entry: Entry, market: MarketId, leverage: number, now: number) => Refusal | undefined
  setMarginMode: (entry: Entry, market: MarketId, mode: MarginMode, now: number) => Refusal | undefined
  setPositionMode: (
    entry: Entry,
    scope: Venue | MarketId,
    mode: PositionMode,
    now: number,
  ) => Refusal | undefined
  /** Replaces the named terms of the account; no event says so. */
  setTerms: (entry: Entry, terms: Terms, now: number) => void
  /** Adds to the margin of an isolated position; below zero takes out. */
  addMargin: (
    entry: Entry,
    market: MarketId,
    side: PositionSide,
    amount: bigint,
    now: number,
  ) => Refusal | undefined
  protect: (
    entry: Entry,
    market: MarketId,
    side: PositionSide,
    protection: Protection,
    now: number,
  ) => Refusal | undefined
  /** Holds the prices of every market with this symbol. */
  pin: (symbol: string, prices: Prices, now: number) => void
  unpin: (symbol: string, now: number) => void
  /** Pays funding where its time has come since it was paid last. */
  fund: (now: number) => void
  /** Sets what positions in every market with this symbol pay at each time of funding. */
  setFundingRate: (symbol: string, rate: bigint, now: number) => void
  /** One step of the prices of everything that is not pinned. */
  move: (now: number) => void
  addMarket: (market: Market, now: number) => void
  /** Calls back with every event from now on; returns an unsubscribe function. */
  subscribe: (listener: (event: VenueEvent) => void) => () => void
}>

type Perform = <T>(now: number, work: (run: Run) => T) => T

/** A venue's settings: what meddles with it, and until when it has paid funding. */
type ExchangeSettings = Readonly<{ meddling?: Meddling; fundedAt?: number }>

/** A venue over this ledger and these prices; `writer` receives every change. */
export function createExchange(
  ledger: Ledger,
  board: QuoteBoard,
  writer: StateWriter,
  { meddling, fundedAt = 0 }: ExchangeSettings = {},
): Exchange {
  const floor = floorOf(ledger, board, writer, meddling, fundedAt)
  const run: Perform = (now, work) => perform(floor, now, work, tidy)
  return {
    ledger,
    quotes: quotesOf(floor),
    open: (balances, now) => run(now, (it) => open(it, balances)),
    reset: (entry, balances, now) => run(now, (it) => reset(it, entry, balances)),
    place: (entry, request, now) =>
      latest(
        entry,
        run(now, (it) => place(it, entry, request)),
      ),
    check: (entry, request, now) => check(floor, entry, request, now),
    placeList: (entry, request, now) => run(now, (it) => placeList(it, entry, request)),
    cancel: (entry, order, now) => run(now, (it) => cancel(it, entry, order)),
    amend: (entry, order, to, now) =>
      latest(
        entry,
        run(now, (it) => amend(it, entry, order, to)),
      ),
    ...settingsOf(run),
    pin: (symbol, prices, now) => run(now, (it) => moveQuotes(it, { pinned: { [symbol]: prices } })),
    unpin: (symbol, now) => run(now, (it) => moveQuotes(it, { pinned: { [symbol]: undefined } })),
    fund: (now) => payDueFunding(floor, now, (work) => run(now, work)),
    setFundingRate: (symbol, rate, now) =>
      run(now, (it) => void putQuotes(it, { fundingRates: { [symbol]: rate } })),
    move: (now) => run(now, (it) => moveQuotes(it, board.nextStep())),
    addMarket: (market, now) => run(now, (it) => list(it, market)),
    subscribe: (listener) => {
      floor.listeners.add(listener)
      return () => floor.listeners.delete(listener)
    },
  }
}

// The choices that an account has for itself and its positions.
function settingsOf(run: Perform) {
  return {
    setLeverage: (entry, market, leverage, now) => run(now, (it) => setLeverage(it, entry, market, leverage)),
    setMarginMode: (entry, market, mode, now) => run(now, (it) => setMarginMode(it, entry, market, mode)),
    setPositionMode: (entry, scope, mode, now) => run(now, (it) => setPositionMode(it, entry, scope, mode)),
    setTerms: (entry, terms, now) => run(now, (it) => setTerms(it, entry, terms)),
    addMargin: (entry, market, side, amount, now) =>
      run(now, (it) => addMargin(it, entry, market, side, amount)),
    protect: (entry, market, side, protection, now) =>
      run(now, (it) => protect(it, entry, market, side, protection)),
  } satisfies Partial<Exchange>
}

function floorOf(
  ledger: Ledger,
  board: QuoteBoard,
  writer: StateWriter,
  meddling: Meddling | undefined,
  fundedAt: number,
): Floor {
  const holders: Floor['holders'] = new Map()
  for (const entry of everyEntry(ledger)) {
    for (const { market } of entry.account.positions.values()) {
      holders.set(market, (holders.get(market) ?? new Set()).add(entry))
    }
  }
  const [markets, listeners] = [marketOrdersFrom(ledger), new Set<(event: VenueEvent) => void>()]
  return { ledger, board, writer, markets, holders, listeners, funded: { at: fundedAt }, meddling }
}

function quotesOf({ board, markets }: Floor): Quotes {
  return {
    of: board.of,
    isPinned: board.isPinned,
    depth: (market) => depthOf(ordersOfMarket(markets, market), board.house(market)),
  }
}

function open(run: Run, balances: ReadonlyMap<string, bigint>): Entry {
  const [apiKey, secret] = [randomBytes(32).toString('hex'), randomBytes(32).toString('hex')]
  const entry = addEntry(run.floor.ledger, apiKey, secret, openAccount(balances, run.now))
  markNew(run, entry)
  for (const asset of balances.keys()) touch(run, entry, 'open', asset)
  return entry
}

function list(run: Run, market: Market): void {
  addMarket(market)
  run.market = market
}

// Later steps of the same call may have changed the order once more.
function latest(entry: Entry, placed: Placed): Placed {
  if ('refusal' in placed) return placed
  const order = entry.orders.get(placed.order.id) ?? placed.order
  const child = order.childId === undefined ? undefined : entry.orders.get(order.childId)
  return { ...placed, order, ...(child && { child }) }
}
