import { marginModeOf, positionIn } from '../../domain/account.ts'
import { parseFixed } from '../../domain/fixed.ts'
import { type Market, VALUE_SCALE } from '../../domain/market.ts'
import type { Protection, ProtectiveLeg } from '../../domain/order.ts'
import { accountAt } from '../../store/ledger.ts'
import { categoryIn, marketIn, marketNamed, marketsIn, scopeIn } from './category.ts'
import { BybitError, missingScope, paramsError } from './errors.ts'
import { choiceIn, type Fields, limitIn, requiredIn, textIn, wholeIn } from './fields.ts'
import { formatPosition, positionSides } from './format-position.ts'
import { marginOf } from './format-wallet.ts'
import { pageOf } from './page.ts'
import { readLeg, readMode, readOptionalPrice, readPositionSide } from './read-order.ts'
import { refusalError } from './refusals.ts'
import { type Route, type SignedCall, setting, signed } from './route.ts'

function positions(call: SignedCall) {
  const { fields, entry, exchange, asOf } = call
  const category = categoryIn(fields)
  if (category === 'spot') throw new BybitError(10001, 'Illegal category')
  const account = accountAt(entry, asOf)
  const scope = scopeIn(fields)
  if (!scope && category === 'linear') throw missingScope()
  const isNamed = textIn(fields, 'symbol') !== undefined
  const wanted = (scope ?? []).flatMap((market) =>
    positionSides(account, market)
      .filter((side) => isNamed || positionIn(account, market.id, side).quantity !== 0n)
      .map((side) => ({ market, side })),
  )
  const nameOf = ({ market, side }: (typeof wanted)[number]) => `${market.symbol}-${side}`
  const { rows, next } = pageOf(wanted, limitIn(fields, 200, 20), textIn(fields, 'cursor'), nameOf)
  const margin = marginOf(exchange, entry, account)
  const list = rows.map(({ market, side }) =>
    formatPosition({ entry, account, margin, quote: exchange.quotes.of(market.id) }, market, side),
  )
  return { list, nextPageCursor: next, category }
}

// Everything here is about linear markets: spot has no positions.
function linearMarketIn(fields: Fields): Market {
  if (categoryIn(fields) !== 'linear') throw new BybitError(10001, 'Illegal category')
  return marketIn(fields)
}

const LEVERAGE = /^[0-9]{1,3}(\.[0-9]{1,2}0*)?$/

function leverageIn(fields: Fields, name: string): number {
  const text = requiredIn(fields, name)
  const leverage = Number(text)
  if (!LEVERAGE.test(text) || leverage < 1) throw new BybitError(10001, `${name} invalid`)
  return leverage
}

function setLeverage({ fields, exchange, entry, now }: SignedCall) {
  const market = linearMarketIn(fields)
  const [buy, sell] = [leverageIn(fields, 'buyLeverage'), leverageIn(fields, 'sellLeverage')]
  if (buy !== sell) throw new BybitError(10001, 'buy leverage must equal sell leverage')
  // The leverage step of every market is one.
  if (!Number.isInteger(buy)) throw new BybitError(10001, 'buyLeverage invalid')
  const most = market.brackets[0]?.leverage ?? 1
  if (buy > most) throw new BybitError(10001, 'buy leverage invalid')
  const refusal = exchange.setLeverage(entry, market.id, buy, now)
  if (refusal === 'marginInsufficient') throw new BybitError(110044, 'Available margin is insufficient.')
  if (refusal) throw refusalError(refusal, { market, quote: exchange.quotes.of(market.id) })
  return {}
}

function switchMode({ fields, exchange, entry, now }: SignedCall) {
  if (categoryIn(fields) !== 'linear') throw new BybitError(10001, 'Illegal category')
  const mode = choiceIn(fields, 'mode', ['0', '3'])
  if (mode === undefined) throw paramsError('position_mode')
  const symbol = textIn(fields, 'symbol')
  if (symbol === undefined && textIn(fields, 'coin') === undefined) throw missingScope()
  const named = symbol === undefined ? undefined : marketNamed('linear', symbol)
  const refusal = exchange.setPositionMode(
    entry,
    named?.id ?? 'bybit-linear',
    mode === '3' ? 'hedge' : 'one-way',
    now,
  )
  const market = named ?? marketsIn('linear')[0]
  if (refusal && market) throw refusalError(refusal, { market, quote: exchange.quotes.of(market.id) })
  return {}
}

// A unified account keeps one margin mode for all its positions.
function switchIsolated({ fields }: SignedCall) {
  linearMarketIn(fields)
  throw new BybitError(100028, 'unified account is forbidden')
}

function tradingStop({ fields, exchange, entry, now }: SignedCall) {
  const market = linearMarketIn(fields)
  const side = readPositionSide(fields)
  const protection = readProtection(market, fields)
  const refusal = exchange.protect(entry, market.id, side, protection, now)
  if (refusal) throw refusalError(refusal, { market, quote: exchange.quotes.of(market.id) })
  return {}
}

function readProtection(market: Market, fields: Fields): Protection {
  const mode = readMode(fields, 'full')
  const legs = {
    takeProfit: legIn(market, fields, 'tp', 'takeProfit', mode),
    stopLoss: legIn(market, fields, 'sl', 'stopLoss', mode),
    trailing: trailingIn(market, fields),
  }
  const [tpSize, slSize] = [textIn(fields, 'tpSize'), textIn(fields, 'slSize')]
  if (tpSize !== undefined && slSize !== undefined && tpSize !== slSize) {
    throw new BybitError(10001, 'tpSize and slSize must be equal')
  }
  return {
    mode,
    ...(legs.takeProfit && { takeProfit: legs.takeProfit }),
    ...(legs.stopLoss && { stopLoss: legs.stopLoss }),
    ...(legs.trailing && { trailing: legs.trailing }),
  }
}

// Zero takes a leg away, its absence leaves it as it is.
function legIn(
  market: Market,
  fields: Fields,
  prefix: 'tp' | 'sl',
  name: 'takeProfit' | 'stopLoss',
  mode: Protection['mode'],
): ProtectiveLeg | 'none' | undefined {
  return readOptionalPrice(market, fields, name) === 0n ? 'none' : readLeg(market, fields, prefix, name, mode)
}

function trailingIn(market: Market, fields: Fields): Protection['trailing'] {
  const distance = readOptionalPrice(market, fields, 'trailingStop')
  if (distance === undefined) return undefined
  if (distance === 0n) return 'none'
  const activation = readOptionalPrice(market, fields, 'activePrice')
  return { distance, ...(activation !== undefined && activation > 0n && { activation }) }
}

const SIGNED_AMOUNT = /^-?[0-9]{1,15}(\.[0-9]{1,4}0*)?$/

function addMargin({ fields, exchange, entry, now }: SignedCall) {
  const market = linearMarketIn(fields)
  const side = readPositionSide(fields)
  const text = requiredIn(fields, 'margin')
  if (!SIGNED_AMOUNT.test(text)) throw paramsError('margin')
  const size = parseFixed(text.replace('-', ''), VALUE_SCALE) ?? 0n
  const position = positionIn(entry.account, market.id, side)
  if (position.quantity === 0n) throw new BybitError(110033, "You can't set margin without an open position")
  if (position.marginMode === 'cross') throw new BybitError(110015, 'The position is in cross margin mode.')
  const refusal = exchange.addMargin(entry, market.id, side, text.startsWith('-') ? -size : size, now)
  if (refusal === 'marginInsufficient') {
    throw new BybitError(110014, 'Insufficient available balance to add additional margin.')
  }
  const quote = exchange.quotes.of(market.id)
  if (refusal) throw refusalError(refusal, { market, quote })
  const { account } = entry
  const row = formatPosition({ entry, account, margin: marginOf(exchange, entry), quote }, market, side)
  return { category: 'linear', ...row, size: row.size, liqPrice: row.liqPrice }
}

function setAutoAddMargin({ fields, entry }: SignedCall) {
  const market = linearMarketIn(fields)
  const wanted = wholeIn(fields, 'autoAddMargin')
  if (wanted !== 0 && wanted !== 1) throw paramsError('autoAddMargin')
  if (marginModeOf(entry.account, market.id) !== 'isolated') {
    throw new BybitError(110076, 'Only isolated mode can set auto-add-margin')
  }
  // Margin is never added by itself here, so only that may be chosen.
  if (wanted === 1) throw paramsError('autoAddMargin')
  return {}
}

/** Routes by which an account reads and changes its positions. */
export const positionRoutes: ReadonlyArray<readonly [string, Route]> = [
  ['GET /v5/position/list', signed(positions)],
  ['POST /v5/position/set-leverage', setting(setLeverage)],
  ['POST /v5/position/switch-mode', setting(switchMode)],
  ['POST /v5/position/switch-isolated', setting(switchIsolated)],
  ['POST /v5/position/trading-stop', setting(tradingStop)],
  ['POST /v5/position/add-margin', setting(addMargin)],
  ['POST /v5/position/set-auto-add-margin', setting(setAutoAddMargin)],
]
