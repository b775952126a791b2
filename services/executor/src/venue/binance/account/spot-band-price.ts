import { z } from 'zod'
import type { RestClient, Urgency } from '../../http/rest-client.ts'
import { Decimal, readFrom } from '../../read/read-fields.ts'
import { priceOrNone } from '../answers.ts'

/** GET /api/v3/referencePrice of one symbol ("Query Reference Price" of rest-api.md, 2026-04-16): null where none is set. */
const ReferencePrice = z.object({ referencePrice: Decimal.nullable() })

/** GET /api/v3/avgPrice of one symbol ("Current average price" of rest-api.md). */
const AveragePrice = z.object({ price: Decimal })

/**
 * Asks for the price by which a spot market bounds the prices of orders and values market orders: its reference price, or
 * where it has none the average of its trades (PERCENT_PRICE_BY_SIDE and NOTIONAL of filters.md, 2026-05-06). The span of
 * that is said by the filter (`avgPriceMins`) and by the answer: 5 minutes in all recordings of both. Null where it is zero.
 */
export async function bandPriceNow(
  { get }: Pick<RestClient, 'get'>,
  symbol: string,
  urgency: Urgency,
  streamed: string | null | undefined,
): Promise<string | null> {
  const reference = streamed === undefined ? await askReference(get, symbol, urgency) : streamed
  return reference ?? (await askAverage(get, symbol, urgency))
}

// -2043 refuses a market that never had one, and an address may be without the call: the average is near it in any case.
async function askReference(
  get: RestClient['get'],
  symbol: string,
  urgency: Urgency,
): Promise<string | null> {
  try {
    const answer = await get('/api/v3/referencePrice', { symbol }, urgency)
    return readFrom({ venue: 'binance-spot', call: 'referencePrice' }, ReferencePrice, answer).referencePrice
  } catch {
    return null
  }
}

async function askAverage(get: RestClient['get'], symbol: string, urgency: Urgency): Promise<string | null> {
  const answer = await get('/api/v3/avgPrice', { symbol }, urgency)
  return priceOrNone(readFrom({ venue: 'binance-spot', call: 'avgPrice' }, AveragePrice, answer).price)
}
