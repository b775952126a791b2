import { z } from 'zod'
import type { LibraryClient } from '../http/library-client.ts'
import { Decimal, readFrom } from '../read/read-fields.ts'
import { priceOrNone } from './answers.ts'
import type { Requester } from './rest-client.ts'

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
  client: LibraryClient,
  symbol: string,
  request: Requester,
  streamed: string | null | undefined,
): Promise<string | null> {
  const reference = streamed === undefined ? await askReference(client, symbol, request) : streamed
  return reference ?? (await askAverage(client, symbol, request))
}

// -2043 refuses a market that never had one, and an address may be without the call: the average is near it in any case.
async function askReference(
  client: LibraryClient,
  symbol: string,
  request: Requester,
): Promise<string | null> {
  try {
    const answer = await request(() => client.get('public', 'referencePrice', { symbol }))
    return readFrom({ venue: 'binance-spot', call: 'referencePrice' }, ReferencePrice, answer).referencePrice
  } catch {
    return null
  }
}

async function askAverage(client: LibraryClient, symbol: string, request: Requester): Promise<string | null> {
  const answer = await request(() => client.get('public', 'avgPrice', { symbol }))
  return priceOrNone(readFrom({ venue: 'binance-spot', call: 'avgPrice' }, AveragePrice, answer).price)
}
