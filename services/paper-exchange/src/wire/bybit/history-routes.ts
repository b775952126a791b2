import type { Funding } from '../../domain/funding.ts'
import { type Market, marketOf } from '../../domain/market.ts'
import { type Fill, isOpen, type Order, orderAt } from '../../domain/order.ts'
import { openOrdersAt } from '../../store/ledger.ts'
import { categoryIn, marketsIn, scopeIn } from './category.ts'
import { BybitError, missingScope } from './errors.ts'
import { type Fields, limitIn, textIn, wholeIn } from './fields.ts'
import { fillsOf } from './fill-book.ts'
import { findOrder, isRecent, ordersIn, passesFilter, RECENT_CLOSED } from './find-order.ts'
import { formatFill } from './format-fill.ts'
import { formatFunding } from './format-funding.ts'
import { priceText, quantityText } from './format-market.ts'
import { formatOrder, moneyText, orderIdOf, statusOf, unitPrice } from './format-order.ts'
import { leverageText } from './format-position.ts'
import { pageOf } from './page.ts'
import { type Route, type SignedCall, signed } from './route.ts'

const DAY_MS = 86_400_000
const WEEK_MS = 7 * DAY_MS

// A named order is asked for in each market that may hold it.
function namedIn(call: SignedCall, markets: readonly Market[]): Order[] | undefined {
  const { fields, entry, asOf } = call
  if (textIn(fields, 'orderId') === undefined && textIn(fields, 'orderLinkId') === undefined) return undefined
  const found: Order[] = []
  for (const market of markets) {
    const order = findOrder(entry, market, fields)
    const then = order && orderAt(order, asOf)
    if (then) found.push(then)
  }
  return found
}

function listed({ entry, asOf }: SignedCall, markets: readonly Market[]): Order[] {
  const orders = ordersIn(entry, markets)
  return asOf === Number.POSITIVE_INFINITY ? orders : orders.flatMap((one) => orderAt(one, asOf) ?? [])
}

function realtime(call: SignedCall) {
  const { fields, entry } = call
  const category = categoryIn(fields)
  const all = marketsIn(category)
  const named = namedIn(call, scopeIn(fields) ?? all)
  if (named) {
    const isListed = (one: Order) => isOpen(one) || (isOfThisRun(call, one) && isRecent(entry, one, all))
    return page(call, named.filter(isListed), 50, 20)
  }
  const scope = scopeIn(fields) ?? (category === 'spot' ? all : undefined)
  if (!scope && category === 'linear') throw missingScope()
  const filter = textIn(fields, 'orderFilter')
  const wantsClosed = (wholeIn(fields, 'openOnly') ?? 0) !== 0
  const orders = wantsClosed ? recentlyClosed(call, all, scope ?? []) : openIn(call, scope ?? [])
  return page(
    call,
    orders.filter((one) => passesFilter(one, filter)),
    50,
    20,
  )
}

// Orders that closed before the venue last started are found in the history only.
function isOfThisRun({ startedAt }: SignedCall, { updatedAt }: Order): boolean {
  return updatedAt >= startedAt
}

function recentlyClosed(call: SignedCall, all: readonly Market[], scope: readonly Market[]): Order[] {
  const wanted = new Set(scope.map(({ id }) => id))
  return listed(call, all)
    .filter((one) => !isOpen(one))
    .slice(0, RECENT_CLOSED)
    .filter((one) => wanted.has(one.market) && isOfThisRun(call, one))
}

function openIn({ entry, asOf }: SignedCall, scope: readonly Market[]): Order[] {
  return scope.flatMap(({ id }) => openOrdersAt(entry, asOf, id)).sort((one, other) => other.id - one.id)
}

function page({ fields, entry }: SignedCall, orders: readonly Order[], most: number, usual: number) {
  const { rows, next } = pageOf(orders, limitIn(fields, most, usual), textIn(fields, 'cursor'), orderIdOf)
  const list = rows.map((one) => formatOrder(entry, one))
  return { list, nextPageCursor: next, category: categoryIn(fields) }
}

type Span = Readonly<{ from: number; to: number }>

// Both ends at most seven days apart; one alone reaches seven days, none means the last seven.
function spanIn(fields: Fields, now: number): Span {
  const [start, end] = [wholeIn(fields, 'startTime'), wholeIn(fields, 'endTime')]
  if (start !== undefined && end !== undefined) {
    if (start > end) throw new BybitError(10001, 'params error: startTime invalid')
    if (end - start > WEEK_MS)
      throw new BybitError(10001, 'The time range between startTime and endTime is over 7 days')
  }
  const from = start ?? (end ?? now) - WEEK_MS
  return { from, to: end ?? (start === undefined ? Number.POSITIVE_INFINITY : start + WEEK_MS) }
}

const isWithin = (span: Span, at: number): boolean => at >= span.from && at <= span.to

function history(call: SignedCall) {
  const { fields, now } = call
  const scope = scopeIn(fields) ?? marketsIn(categoryIn(fields))
  const span = spanIn(fields, now)
  const [status, filter] = [textIn(fields, 'orderStatus'), textIn(fields, 'orderFilter')]
  const named = namedIn(call, scope)
  const wanted = (one: Order) =>
    !isOpen(one) &&
    isRemembered(one, now) &&
    (named !== undefined || isWithin(span, one.createdAt)) &&
    (status === undefined || statusOf(one) === status) &&
    passesFilter(one, filter)
  return page(call, (named ?? listed(call, scope)).filter(wanted), 50, 20)
}

// The venue forgets what ended unfilled after a day, and everything after a week.
function isRemembered(order: Order, now: number): boolean {
  return now - order.updatedAt <= (order.filled > 0n ? WEEK_MS : DAY_MS)
}

function fillsIn({ entry, asOf }: SignedCall, markets: readonly Market[]): Fill[] {
  return markets
    .flatMap((market) => entry.fillsByMarket.get(market.id) ?? [])
    .filter(({ at }) => at <= asOf)
    .sort((one, other) => other.id - one.id)
}

function executions(call: SignedCall) {
  const { fields, entry, exchange, now } = call
  const category = categoryIn(fields)
  const scope = scopeIn(fields) ?? marketsIn(category)
  const named = namedIn(call, scope)?.map(({ id }) => id)
  const span = spanIn(fields, now)
  const execType = textIn(fields, 'execType')
  const wanted = (fill: Fill) => (named ? named.includes(fill.orderId) : isWithin(span, fill.at))
  const trades = fillsIn(call, scope)
    .filter(wanted)
    .flatMap((fill) => {
      const order = entry.orders.get(fill.orderId)
      return order ? [formatFill(entry, fill, order, exchange.quotes.of(fill.market))] : []
    })
  const fundings = named ? [] : fundingsIn(call, scope).filter(({ at }) => isWithin(span, at))
  const rows = [...trades, ...fundings.map(formatFunding)]
    .filter((row) => execType === undefined || row.execType === execType)
    .sort((one, other) => other.seq - one.seq)
  const cursor = textIn(fields, 'cursor')
  const { rows: list, next } = pageOf(rows, limitIn(fields, 100, 50), cursor, ({ execId }) => execId)
  return { list, nextPageCursor: next, category }
}

function fundingsIn({ entry, asOf }: SignedCall, markets: readonly Market[]): Funding[] {
  const ids = new Set(markets.map(({ id }) => id))
  return entry.fundings.filter(({ market, at }) => ids.has(market) && at <= asOf)
}

function closedPnl(call: SignedCall) {
  const { fields, entry, now } = call
  const category = categoryIn(fields)
  const span = spanIn(fields, now)
  const scope = category === 'spot' ? [] : (scopeIn(fields) ?? marketsIn(category))
  const closing = listed(call, scope).filter(
    (one) => isWithin(span, one.updatedAt) && fillsOf(entry, one.market, one.id).closed > 0n,
  )
  const { rows, next } = pageOf(closing, limitIn(fields, 100, 50), textIn(fields, 'cursor'), orderIdOf)
  return { list: rows.map((one) => formatClosed(call, one)), nextPageCursor: next, category }
}

function formatClosed({ entry }: SignedCall, order: Order) {
  const market = marketOf(order.market)
  const { closed, entryValue, exitValue, realized, fee, count } = fillsOf(entry, order.market, order.id)
  return {
    symbol: market.symbol,
    orderId: orderIdOf(order),
    side: order.side === 'buy' ? 'Buy' : 'Sell',
    qty: quantityText(market, order.quantity),
    orderPrice: order.type === 'market' ? '0' : priceText(market, order.price),
    orderType: order.type === 'market' ? 'Market' : 'Limit',
    execType: order.origin === 'liquidation' ? 'BustTrade' : 'Trade',
    closedSize: quantityText(market, closed),
    openFee: '0',
    closeFee: moneyText(fee),
    cumEntryValue: moneyText(entryValue),
    avgEntryPrice: unitPrice(market, entryValue, closed),
    cumExitValue: moneyText(exitValue),
    avgExitPrice: unitPrice(market, exitValue, closed),
    closedPnl: moneyText(realized - fee),
    fillCount: String(count),
    leverage: leverageText(entry.account, market),
    createdTime: String(order.createdAt),
    updatedTime: String(order.updatedAt),
  }
}

/** Everything that reads orders and fills. */
export const historyRoutes: ReadonlyArray<readonly [string, Route]> = [
  ['GET /v5/order/realtime', signed(realtime)],
  ['GET /v5/order/history', signed(history)],
  ['GET /v5/execution/list', signed(executions)],
  ['GET /v5/position/closed-pnl', signed(closedPnl)],
]
