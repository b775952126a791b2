import { findMarket, type Market, marketsOf } from '../../domain/market.ts'
import { INTERVALS } from './candles.ts'

/** The kinds of public stream. */
export type StreamKind =
  | 'bookTicker'
  | 'markPrice'
  | 'aggTrade'
  | 'trade'
  | 'ticker'
  | 'miniTicker'
  | 'depth'
  | 'kline'
  | 'forceOrder'

/**
 * The subject of a stream: one market or all, and for those in one frame or in one each. `everyS` is how often a stream
 * that goes by the clock speaks; `levels` how deep a partial book goes.
 */
export type Stream = Readonly<{
  kind: StreamKind
  markets: readonly Market[]
  isList: boolean
  everyS: number
  levels: number
  interval: string
}>

const NAME = /^([a-z0-9_]{1,30}|!)@?([A-Za-z]+)(\d*)(?:_([0-9]+[mhdwM]))?(@arr)?(?:@(\d+m?s))?$/
// In seconds.
const CLOCKED: Readonly<Partial<Record<string, number>>> = {
  markPrice: 3,
  ticker: 2,
  miniTicker: 2,
  kline: 1,
}
const KINDS: readonly string[] = [
  'bookTicker',
  'markPrice',
  'aggTrade',
  'trade',
  'ticker',
  'miniTicker',
  'depth',
  'kline',
  'forceOrder',
]

/** The stream of this name, or undefined where there is none. */
export function readStream(name: string): Stream | undefined {
  const [, owner = '', kind = '', levels = '', interval = '', list, speed] = NAME.exec(name) ?? []
  if (!isKind(kind)) return undefined
  const markets = owner === '!' ? marketsOf('binance-futures') : one(owner)
  if (markets.length === 0) return undefined
  const everyS = kind === 'markPrice' && speed === '1s' ? 1 : (CLOCKED[kind] ?? 0)
  if ((kind === 'kline') !== INTERVALS.includes(interval)) return undefined
  return { kind, markets, isList: list !== undefined, everyS, levels: Number(levels), interval }
}

function isKind(kind: string): kind is StreamKind {
  return KINDS.includes(kind)
}

function one(owner: string): readonly Market[] {
  const market = findMarket('binance-futures', owner.toUpperCase())
  return market ? [market] : []
}
