import { type Account, leverageOf, type Position, positionIn, positionModeOf } from '../../domain/account.ts'
import { absolute, formatTrimmed } from '../../domain/fixed.ts'
import { type AccountMargin, liquidationPrice, type PositionRisk, positionRisk } from '../../domain/margin.ts'
import { bracketFor, type Market, VALUE_SCALE } from '../../domain/market.ts'
import { type Fill, isOpen, type Order, type PositionSide } from '../../domain/order.ts'
import type { Quote } from '../../domain/quote.ts'
import type { Entry } from '../../store/ledger.ts'
import { markText, priceText, quantityText } from './format-market.ts'
import { moneyText, unitPrice } from './format-order.ts'
import { positionIdxOf } from './read-order.ts'

/** An account at one moment with what is needed to print a position of it. */
export type View = Readonly<{ entry: Entry; account: Account; margin: AccountMargin; quote: Quote }>

/** The leverage of an account in a market as the venue writes it. */
export function leverageText(account: Account, market: Market): string {
  return String(leverageOf(account, market.id))
}

/** The positions a market has room for: one, or a long and a short one beside each other. */
export function positionSides(account: Account, market: Market): readonly PositionSide[] {
  return positionModeOf(account, market) === 'hedge' ? ['long', 'short'] : ['net']
}

/** A position as queries return it; one that holds nothing has its row, too. */
export function formatPosition(view: View, market: Market, side: PositionSide) {
  const { account, entry, quote } = view
  const position = positionIn(account, market.id, side)
  const risk = positionRisk(account, market, position, quote)
  const bracket = bracketFor(market, absolute(risk.notional))
  const last = lastFill(view, market, side)
  return {
    positionIdx: positionIdxOf(side),
    riskId: market.brackets.indexOf(bracket) + 1,
    riskLimitValue: formatTrimmed(bracket.cap, VALUE_SCALE),
    symbol: market.symbol,
    side: sideText(position),
    size: quantityText(market, absolute(position.quantity)),
    avgPrice: unitPrice(market, absolute(position.cost), absolute(position.quantity)) || '0',
    positionValue: moneyText(absolute(position.cost)),
    ...CONSTANT,
    leverage: leverageText(account, market),
    markPrice: markText(market, quote.mark),
    ...edgesOf(view, market, position),
    ...marginsOf(risk),
    ...protectionOf(entry, market, side),
    unrealisedPnl: moneyText(risk.unrealized),
    curRealisedPnl: moneyText(-position.carried),
    cumRealisedPnl: moneyText(-position.carried),
    adlRankIndicator: position.quantity === 0n ? 0 : 2,
    createdTime: String(position.openedAt),
    // Of one that was closed, too (the testnet's position list, 2023).
    updatedTime: String(position.updatedAt || (last?.at ?? 0)),
    openTime: position.openedAt,
    ...sequenceField(entry, last),
  }
}

// The number of the fill that a position was changed by last.
// Live positions have been without it, or with -1 (nautilus_trader #3836).
function sequenceField(entry: Entry, last: Fill | undefined): { seq?: number } {
  const { positionSeq } = entry.account.settings.terms ?? {}
  if (positionSeq === 'none') return {}
  return { seq: positionSeq === 'unknown' ? -1 : (last?.id ?? -1) }
}

/** The fill that a position was changed by last, at the moment of the view. */
function lastFill({ entry, account }: View, market: Market, side: PositionSide): Fill | undefined {
  const fills = entry.fillsByMarket.get(market.id)
  return fills?.findLast(({ positionSide, at }) => positionSide === side && at <= account.updatedAt)
}

// Fields that are the same for every position of this venue.
const CONSTANT = {
  tradeMode: 0,
  autoAddMargin: 0,
  positionStatus: 'Normal',
  tpslMode: 'Full',
  sessionAvgPrice: '',
  delta: '',
  gamma: '',
  vega: '',
  theta: '',
  isReduceOnly: false,
  mmrSysUpdatedTime: '',
  leverageSysUpdatedTime: '',
} as const

function marginsOf({ positionMargin, maintenance }: PositionRisk) {
  const [initial, least] = [moneyText(positionMargin), moneyText(maintenance)]
  const byMark = { positionIMByMp: initial, positionMMByMp: least }
  return { positionIM: initial, positionMM: least, ...byMark, positionBalance: initial }
}

function sideText({ quantity }: Position): string {
  if (quantity === 0n) return ''
  return quantity > 0n ? 'Buy' : 'Sell'
}

function edgesOf({ margin, quote }: View, market: Market, position: Position) {
  const fine = liquidationPrice(market, position, margin, quote)
  // The venue leaves out a price that the market can never have.
  const isReal = fine > 0n && fine < quote.mark * 100n
  return { liqPrice: isReal ? markText(market, fine) : '', bustPrice: '' }
}

function protectionOf(entry: Entry, market: Market, side: PositionSide) {
  const legs = { takeProfit: '', stopLoss: '', trailingStop: '0' }
  for (const id of entry.openByMarket.get(market.id) ?? []) {
    const order = entry.orders.get(id)
    if (!order?.protection || order.positionSide !== side || !isOpen(order)) continue
    addProtection(legs, market, order)
  }
  return legs
}

function addProtection(
  legs: { takeProfit: string; stopLoss: string; trailingStop: string },
  market: Market,
  { protection, trigger }: Order,
): void {
  if (!protection || !trigger) return
  if (protection.part === 'trailing') {
    const callback = trigger.trailing?.callback
    if (callback && 'distance' in callback) legs.trailingStop = priceText(market, callback.distance)
  } else if (protection.mode === 'full') legs[protection.part] = priceText(market, trigger.price)
}
