import { balanceOf, positionIn } from '../../domain/account.ts'
import { formatFixed, formatTrimmed } from '../../domain/fixed.ts'
import { accountMargin, positionRisk, type QuoteOf } from '../../domain/margin.ts'
import { type Market, marketOf, VALUE_SCALE } from '../../domain/market.ts'
import { type Fill, isAlgo, type Order } from '../../domain/order.ts'
import type { AccountReason, VenueEvent } from '../../exchange.ts'
import type { Entry } from '../../store/ledger.ts'
import { childOf } from './find-order.ts'
import { type Holding, holdingsOf, pricePerUnit, shownCoin } from './format-account.ts'
import { algoStatus, callbackRate } from './format-algo.ts'
import {
  averagePrice,
  goodTillDate,
  statusText,
  timeInForceText,
  trimmedAveragePrice,
} from './format-order.ts'
import { positionSideText } from './read-params.ts'
import { realizedOf } from './realized.ts'
import { idText, shownId } from './shown-id.ts'

/** An event as the venue sends it, with the symbol it is about where there is one. */
export type Frame = Readonly<{ symbol: string | undefined; body: Readonly<Record<string, unknown>> }>

type Of<Kind extends VenueEvent['kind']> = Extract<VenueEvent, { kind: Kind }>

// Live events have no zeros at the end of a number (captures of 2026-09), but for those of TRADE_LITE.
const money = (value: bigint): string => formatTrimmed(value, VALUE_SCALE)
const priceText = (market: Market, value: bigint): string => formatTrimmed(value, market.pricePrecision)
const quantityText = (market: Market, value: bigint): string => formatTrimmed(value, market.quantityPrecision)

/** The events of a change of an order, by where they stand: before all others, before the account's, and behind it. */
export interface OrderFrames {
  early: Frame[]
  first: Frame[]
  last: Frame[]
}

/**
 * Returns the frames that an account gets for a change of one of its orders, in the order of captures of 2026-09:
 * TRADE_LITE, NEW, ACCOUNT_UPDATE, TRADE.
 */
export function framesOfOrder(event: Of<'order'>): OrderFrames {
  const { order, fill, at } = event
  if (isAlgo(order)) return { early: [], first: algoFrames(event), last: [] }
  const last = [orderFrame(order, fill, at), ...parentFrames(event)]
  // An order that ends in the moment it comes is new before that.
  const isFirst = !order.before && order.createdAt === order.updatedAt && order.status !== 'open'
  const arrived = isFirst ? [orderFrame(asArrived(order), undefined, at)] : []
  if (fill === undefined) return { early: [], first: [...arrived, ...last], last: [] }
  return { early: [tradeLite(order, fill, at)], first: arrived, last }
}

function asArrived(order: Order): Order {
  const { endReason: _endReason, ...rest } = order
  return { ...rest, status: 'open', filled: 0n, filledValue: 0n }
}

function executionType(order: Order, fill: Fill | undefined): string {
  if (fill) return order.origin === 'liquidation' ? 'CALCULATED' : 'TRADE'
  if (order.status === 'open') return order.before?.status === 'open' ? 'AMENDMENT' : 'NEW'
  return order.status === 'canceled' ? 'CANCELED' : 'EXPIRED'
}

function orderFrame(order: Order, fill: Fill | undefined, at: number): Frame {
  const market = marketOf(order.market)
  const body = {
    s: market.symbol,
    c: order.clientOrderId,
    S: order.side.toUpperCase(),
    o: order.type.toUpperCase(),
    f: timeInForceText(order),
    q: quantityText(market, order.quantity),
    p: priceText(market, order.price),
    ap: trimmedAveragePrice(market, order),
    sp: '0',
    x: executionType(order, fill),
    X: statusText(order),
    i: shownId(market, order.id),
    l: quantityText(market, fill?.quantity ?? 0n),
    z: quantityText(market, order.filled),
    L: priceText(market, fill?.price ?? 0n),
    n: fill ? money(fill.fee) : '0',
    N: fill?.feeAsset ?? market.quote,
    T: at,
    t: fill?.id ?? 0,
    b: '0',
    a: '0',
    m: fill?.maker ?? false,
    R: order.reduceOnly,
    wt: order.words?.['workingType'] ?? 'CONTRACT_PRICE',
    ot: order.type.toUpperCase(),
    ps: positionSideText(order.positionSide),
    rp: fill ? money(fill.realized) : '0',
    ...specialsOf(order),
  }
  return { symbol: market.symbol, body: { e: 'ORDER_TRADE_UPDATE', T: at, E: at, o: body } }
}

// Returns the fields that most orders do not have.
function specialsOf(order: Order) {
  return {
    cp: order.closePosition ?? false,
    pP: false,
    si: order.parentId ?? 0,
    ss: 0,
    V: 'EXPIRE_MAKER',
    pm: 'NONE',
    gtd: goodTillDate(order),
    er: '0',
  }
}

function tradeLite(order: Order, fill: Fill, at: number): Frame {
  const market = marketOf(order.market)
  const body = {
    e: 'TRADE_LITE',
    E: at,
    T: at,
    s: market.symbol,
    q: quantityText(market, order.quantity),
    p: formatFixed(order.price, market.pricePrecision),
    m: fill.maker,
    c: order.clientOrderId,
    S: order.side.toUpperCase(),
    L: formatFixed(fill.price, market.pricePrecision),
    l: quantityText(market, fill.quantity),
    t: fill.id,
    i: shownId(market, order.id),
  }
  return { symbol: market.symbol, body }
}

// The conditional order is finished when what it became is.
function parentFrames({ entry, order, at }: Of<'order'>): Frame[] {
  const parent = order.parentId === undefined ? undefined : entry.orders.get(order.parentId)
  if (!parent || order.status === 'open') return []
  return [algoFrame(parent, order, algoStatus(parent, order), at)]
}

function algoFrames({ entry, order, at }: Of<'order'>): Frame[] {
  const child = childOf(entry, order)
  const frames: Frame[] = []
  if (order.status === 'triggered') {
    if (!order.before?.isTriggered) frames.push(algoFrame(order, undefined, 'TRIGGERING', at))
    return [...frames, algoFrame(order, child, 'TRIGGERED', at)]
  }
  frames.push(algoFrame(order, child, algoStatus(order, child), at))
  return order.status === 'rejected' ? [...frames, triggerRejected(order, at)] : frames
}

function algoFrame(order: Order, child: Order | undefined, status: string, at: number): Frame {
  const market = marketOf(order.market)
  const trailing = order.trigger?.trailing
  const body = {
    caid: order.clientOrderId,
    aid: order.id,
    at: 'CONDITIONAL',
    o: order.words?.['type'] ?? 'STOP_MARKET',
    s: market.symbol,
    S: order.side.toUpperCase(),
    ps: positionSideText(order.positionSide),
    f: timeInForceText(order),
    q: quantityText(market, order.quantity),
    X: status,
    ai: child ? idText(market, child.id) : '',
    // Sent once it has entered the matching engine (captures of 2026-09).
    ...(child && {
      ap: averagePrice(market, child),
      aq: quantityText(market, child.filled),
      act: child.type.toUpperCase(),
    }),
    tp: priceText(market, order.trigger?.price ?? 0n),
    p: priceText(market, order.price),
    V: 'EXPIRE_MAKER',
    wt: order.words?.['workingType'] ?? 'CONTRACT_PRICE',
    pm: 'NONE',
    cp: order.closePosition ?? false,
    pP: order.words?.['priceProtect'] === 'true',
    R: order.reduceOnly,
    ...(trailing && { AP: priceText(market, trailing.activation ?? 0n) }),
    ...(trailing && 'rate' in trailing.callback && { cr: callbackRate(trailing.callback.rate) }),
    tt: order.triggeredAt ?? 0,
    gtd: goodTillDate(order),
    rm: order.status === 'rejected' ? rejectReason(order) : '',
    ia: order.isTriggered ?? false,
  }
  return { symbol: market.symbol, body: { e: 'ALGO_UPDATE', T: at, E: at, o: body } }
}

function rejectReason({ endReason }: Order): string {
  return endReason === 'reduceOnly' || endReason === 'positionClosed'
    ? 'ReduceOnly Order is rejected.'
    : 'Margin is insufficient.'
}

function triggerRejected(order: Order, at: number): Frame {
  const { symbol } = marketOf(order.market)
  const or = { s: symbol, i: order.id, r: rejectReason(order) }
  return { symbol, body: { e: 'CONDITIONAL_ORDER_TRIGGER_REJECT', E: at, T: at, or } }
}

const REASONS: Readonly<Record<AccountReason, string>> = {
  order: 'ORDER',
  liquidation: 'ORDER',
  open: 'DEPOSIT',
  reset: 'ADJUSTMENT',
  margin: 'MARGIN_TRANSFER',
  marginMode: 'MARGIN_TYPE_CHANGE',
  leverage: 'ORDER',
  funding: 'FUNDING_FEE',
}

/** Returns the frames that an account gets for a change of its balances, positions or settings. */
export function framesOfAccount(event: Of<'account'>, quoteOf: QuoteOf): Frame[] {
  const markets = event.markets.filter((id) => id.startsWith('binance-futures:')).map(marketOf)
  if (event.reason === 'leverage') return markets.map((market) => leverageFrame(event, market))
  const isElsewhere = event.markets.length > 0 && markets.length === 0
  if (isElsewhere && event.reason !== 'order') return []
  const { entry, assets, at } = event
  const view = { account: entry.account, orders: [], quoteOf }
  // Of funding only isolated positions are reported (documented).
  const isReported = ({ market, side }: Holding): boolean =>
    event.reason !== 'funding' || positionIn(entry.account, market.id, side).marginMode === 'isolated'
  const P = markets
    .flatMap((market) => holdingsOf(view, market))
    .filter(isReported)
    .map((holding) => positionRow(entry, holding, quoteOf))
  const B = assets.map((asset) => balanceRow(entry, asset, quoteOf))
  const a = { m: isElsewhere ? 'ASSET_TRANSFER' : REASONS[event.reason], B, P }
  return [{ symbol: markets[0]?.symbol, body: { e: 'ACCOUNT_UPDATE', T: at, E: at, a } }]
}

function leverageFrame({ entry, at }: Of<'account'>, market: Market): Frame {
  const ac = { s: market.symbol, l: entry.account.settings.leverage.get(market.id) ?? 20 }
  return { symbol: market.symbol, body: { e: 'ACCOUNT_CONFIG_UPDATE', E: at, T: at, ac } }
}

function balanceRow({ account }: Entry, asset: string, quoteOf: QuoteOf) {
  const wallet = balanceOf(account, asset)
  const { isolated } = accountMargin(account, [], quoteOf, asset)
  return { a: shownCoin(account, asset), wb: money(wallet), cw: money(wallet - isolated), bc: '0' }
}

function positionRow(entry: Entry, { market, side }: Holding, quoteOf: QuoteOf) {
  const position = positionIn(entry.account, market.id, side)
  const { unrealized } = positionRisk(entry.account, market, position, quoteOf(market.id))
  const isolated = position.marginMode === 'isolated'
  return {
    s: market.symbol,
    pa: quantityText(market, position.quantity),
    ep: pricePerUnit(market, position.cost, position.quantity),
    cr: money(realizedOf(entry, market.id, side)),
    up: money(unrealized),
    mt: position.marginMode,
    iw: isolated ? money(position.margin) : '0',
    ps: positionSideText(side),
    ma: market.quote,
    bep: pricePerUnit(market, position.cost + position.carried, position.quantity),
  }
}

/** The warning that an account's margin runs out. */
export function marginCall(entry: Entry, quoteOf: QuoteOf, at: number): Frame {
  const { account } = entry
  const { wallet, isolated } = accountMargin(account, [], quoteOf)
  const held = [...account.positions.values()].filter(({ market }) => market.startsWith('binance-futures:'))
  const p = held.map((position) => {
    const market = marketOf(position.market)
    const risk = positionRisk(account, market, position, quoteOf(market.id))
    return {
      s: market.symbol,
      ps: positionSideText(position.side),
      pa: quantityText(market, position.quantity),
      mt: position.marginMode === 'cross' ? 'CROSSED' : 'ISOLATED',
      iw: position.marginMode === 'isolated' ? money(position.margin) : '0',
      mp: money(quoteOf(market.id).mark),
      up: money(risk.unrealized),
      mm: money(risk.maintenance),
    }
  })
  return { symbol: undefined, body: { e: 'MARGIN_CALL', E: at, cw: money(wallet - isolated), p } }
}
