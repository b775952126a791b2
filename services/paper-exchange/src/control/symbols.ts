import type { Clock } from '../clock.ts'
import { findMarket, type Market } from '../domain/market.ts'
import type { Exchange } from '../exchange.ts'
import { type Answer, json } from '../wire/message.ts'
import { readSymbol } from './read-symbol.ts'

type Listing = Readonly<{ exchange: Exchange; clock: Clock }>

/** Lists a new symbol on the venues that the body names, or gives one other filters. */
export function putSymbol({ exchange, clock }: Listing, symbol: string, body: unknown): Answer {
  const markets = readSymbol(symbol, body)
  if ('fault' in markets) return json(400, { detail: markets.fault })
  if (markets.some(countsOtherwise)) {
    return json(409, { detail: 'a symbol that is traded keeps the places of its tick and step' })
  }
  for (const market of markets) exchange.addMarket(market, clock.nowMs())
  return json(200, { symbol, markets: markets.map(({ id }) => id) })
}

// Orders and positions count in the places of their market.
function countsOtherwise({ venue, symbol, pricePrecision, quantityPrecision }: Market): boolean {
  const known = findMarket(venue, symbol)
  return (
    known !== undefined &&
    (known.pricePrecision !== pricePrecision || known.quantityPrecision !== quantityPrecision)
  )
}
