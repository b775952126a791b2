import type { Clock } from '../clock.ts'
import { allMarkets, type Market } from '../domain/market.ts'
import type { Exchange } from '../exchange.ts'
import { type Answer, json } from '../wire/message.ts'
import { describeQuote, readPrices } from './read-prices.ts'

type Priced = Readonly<{ exchange: Exchange; clock: Clock }>

/** Holds the prices of every market with this symbol; each rounds them outward to its own tick. */
export function pinPrices({ exchange, clock }: Priced, symbol: string, body: unknown): Answer {
  const markets = marketsWith(symbol)
  if (markets.length === 0) return json(404, { detail: 'Not found' })
  const prices = readPrices(body)
  if ('fault' in prices) return json(400, { detail: prices.fault })
  exchange.pin(symbol, prices, clock.nowMs())
  return describe(exchange, symbol, markets)
}

/** Lets the prices of every market with this symbol go where they would be. */
export function unpinPrices({ exchange, clock }: Priced, symbol: string): Answer {
  const markets = marketsWith(symbol)
  if (markets.length === 0) return json(404, { detail: 'Not found' })
  exchange.unpin(symbol, clock.nowMs())
  return describe(exchange, symbol, markets)
}

function marketsWith(symbol: string): Market[] {
  return allMarkets().filter((market) => market.symbol === symbol)
}

function describe({ quotes }: Exchange, symbol: string, markets: readonly Market[]): Answer {
  return json(200, {
    symbol,
    markets: markets.map((market) => describeQuote(market, quotes.of(market.id))),
  })
}
