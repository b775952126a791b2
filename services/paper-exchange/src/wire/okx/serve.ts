import { balanceOf, leverageOf, type Position, positionModeOf, positionsIn } from '../../domain/account.ts'
import { absolute, divideRounded, formatTrimmed, larger, power, smaller } from '../../domain/fixed.ts'
import { accountMargin, liquidationPrice, positionRisk, withdrawableOf } from '../../domain/margin.ts'
import { type Market, marketsOf, VALUE_SCALE } from '../../domain/market.ts'
import { accountAt, lockedOf, openOrdersOf } from '../../store/ledger.ts'
import type { Backing, VenueWire } from '../backing.ts'
import { json } from '../message.ts'
import { formatInstrument, instId, marketNamed, marketsIn, priceText, sizeText, TYPES } from './market.ts'
import * as orders from './orders.ts'
import { type Call, OkxError, perform, type Route, textIn } from './perform.ts'

const SETTLE = 'USDT'
const money = (value: bigint): string => formatTrimmed(value, VALUE_SCALE)

function scopeOf({ fields }: Call): readonly Market[] {
  return marketsIn(textIn(fields, 'instType'), textIn(fields, 'instId'))
}

function tickers(call: Call) {
  return scopeOf(call).map((market) => {
    const { last } = call.exchange.quotes.of(market.id)
    const { bids, asks } = call.exchange.quotes.depth(market.id)
    const best = (levels: typeof bids): string => (levels[0] ? priceText(market, levels[0].price) : '')
    const named = { instType: market.kind === 'spot' ? 'SPOT' : 'SWAP', instId: instId(market) }
    return {
      ...named,
      last: priceText(market, last),
      bidPx: best(bids),
      askPx: best(asks),
      ts: `${call.venueNow}`,
    }
  })
}

function marks(call: Call) {
  if (textIn(call.fields, 'instType') === '')
    throw new OkxError(50014, 'Parameter instType can not be empty', 400)
  return scopeOf(call).map((market) => ({
    ...{ instType: 'SWAP', instId: instId(market), ts: `${call.venueNow}` },
    markPx: money(call.exchange.quotes.of(market.id).mark),
  }))
}

function balance(call: Call) {
  const entry = orders.entryOf(call)
  const account = accountAt(entry, call.asOf)
  const margin = accountMargin(account, openOrdersOf(entry), call.exchange.quotes.of, SETTLE)
  const details = [...new Set([SETTLE, ...account.balances.keys()])].map((ccy) => {
    const wallet = balanceOf(account, ccy)
    const isSettle = ccy === SETTLE
    const unlocked = larger(0n, wallet - lockedOf(entry, ccy))
    const free = isSettle ? larger(0n, smaller(unlocked, withdrawableOf(margin))) : unlocked
    return {
      ...{ ccy, eq: money(isSettle ? wallet + margin.unrealized : wallet), cashBal: money(wallet) },
      ...{ availBal: money(free), availEq: money(free), frozenBal: money(larger(0n, wallet - free)) },
      uTime: `${account.updatedAt}`,
    }
  })
  return [{ details, totalEq: '', uTime: `${account.updatedAt}` }]
}

function positions(call: Call) {
  const entry = orders.entryOf(call)
  const account = accountAt(entry, call.asOf)
  const margin = accountMargin(account, openOrdersOf(entry), call.exchange.quotes.of, SETTLE)
  const isNamed = textIn(call.fields, 'instId') !== ''
  const format = (market: Market, position: Position) => {
    const quote = call.exchange.quotes.of(market.id)
    const { unrealized, positionMargin } = positionRisk(account, market, position, quote)
    const held = absolute(position.quantity)
    const entryPx =
      held === 0n ? '' : divideRounded(absolute(position.cost) * power(market.quantityPrecision), held)
    const liqPx = liquidationPrice(market, position, margin, quote)
    const sign = position.quantity < 0n ? '-' : ''
    return {
      ...{ instType: 'SWAP', instId: instId(market), posSide: position.side, mgnMode: position.marginMode },
      ...{
        pos: `${sign}${sizeText(market, held)}`,
        avgPx: entryPx === '' ? '' : money(entryPx),
        upl: money(unrealized),
      },
      ...{ markPx: money(quote.mark), liqPx: liqPx > 0n ? money(liqPx) : '', imr: money(positionMargin) },
      ...{ lever: `${leverageOf(account, market.id)}`, ccy: SETTLE, margin: '' },
      ...{ cTime: `${position.openedAt}`, uTime: `${position.updatedAt}` },
    }
  }
  const markets = isNamed ? [marketNamed(textIn(call.fields, 'instId'))] : marketsOf(TYPES.SWAP)
  return markets.flatMap((market) =>
    positionsIn(account, market.id).map((position) => format(market, position)),
  )
}

function config(call: Call) {
  const { account, apiKey } = orders.entryOf(call)
  const [market] = marketsOf(TYPES.SWAP)
  const isHedged = market !== undefined && positionModeOf(account, market) === 'hedge'
  const posMode = isHedged ? 'long_short_mode' : 'net_mode'
  return [
    {
      acctLv: '2',
      posMode,
      perm: 'read_only,trade',
      ip: '',
      uid: apiKey.slice(0, 17),
      mainUid: apiKey.slice(0, 17),
    },
  ]
}

function leverage(call: Call) {
  const market = marketNamed(textIn(call.fields, 'instId'))
  const lever = `${leverageOf(orders.entryOf(call).account, market.id)}`
  return [{ ccy: '', instId: instId(market), mgnMode: 'cross', posSide: 'net', lever }]
}

function setLeverage(call: Call) {
  const market = marketNamed(textIn(call.fields, 'instId'))
  const lever = Number(textIn(call.fields, 'lever'))
  if (!Number.isInteger(lever) || lever < 1) throw new OkxError(51000, 'Parameter lever error', 400)
  const refusal = call.exchange.setLeverage(orders.entryOf(call), market.id, lever, call.now)
  if (refusal === 'leverageAboveMax')
    throw new OkxError(59102, 'Leverage exceeds the maximum limit. Please lower the leverage.')
  if (refusal === 'marginInsufficient')
    throw new OkxError(59109, 'Account equity less than the required margin amount.')
  return [{ lever: `${lever}`, mgnMode: 'cross', instId: instId(market), posSide: '' }]
}

const ROUTES: ReadonlyMap<string, Route> = new Map<string, Route>([
  ['GET /api/v5/public/time', { isPublic: true, run: ({ venueNow }) => [{ ts: `${venueNow}` }] }],
  ['GET /api/v5/public/instruments', { isPublic: true, run: (call) => scopeOf(call).map(formatInstrument) }],
  ['GET /api/v5/public/mark-price', { isPublic: true, run: marks }],
  ['GET /api/v5/market/ticker', { isPublic: true, run: tickers }],
  ['GET /api/v5/market/tickers', { isPublic: true, run: tickers }],
  ['GET /api/v5/account/config', { run: config }],
  ['GET /api/v5/account/balance', { run: balance }],
  ['GET /api/v5/account/positions', { run: positions }],
  ['GET /api/v5/account/leverage-info', { run: leverage }],
  ['POST /api/v5/account/set-leverage', { run: setLeverage }],
  ['POST /api/v5/trade/order', { op: 'place', run: orders.placeOrder }],
  ['POST /api/v5/trade/cancel-order', { op: 'cancel', run: orders.cancelOrder }],
  ['POST /api/v5/trade/order-algo', { op: 'place', run: orders.placeAlgo }],
  ['POST /api/v5/trade/cancel-algos', { op: 'cancel', run: orders.cancelAlgo }],
  ['GET /api/v5/trade/order', { run: orders.order }],
  ['GET /api/v5/trade/order-algo', { run: orders.algo }],
  ['GET /api/v5/trade/orders-pending', { run: orders.pending(false) }],
  ['GET /api/v5/trade/orders-algo-pending', { run: orders.pending(true) }],
  ['GET /api/v5/trade/orders-history', { run: orders.history(false) }],
  ['GET /api/v5/trade/orders-algo-history', { run: orders.history(true) }],
])

/** OKX v5: spot and swaps over HTTP, as far as our calls need it. */
export function createOkx(backing: Backing): VenueWire {
  return {
    http: (incoming, reply) => {
      const route = ROUTES.get(`${incoming.method} ${incoming.path}`)
      if (route !== undefined) return perform(backing, route, incoming, reply)
      return reply.send(json(404, { code: '404', msg: 'Not Found', data: [] }))
    },
  }
}
