import { z } from 'zod'
import { parseFixed } from '../domain/fixed.ts'
import {
  ceilToTick,
  floorToTick,
  type Market,
  marketIdOf,
  marketsOf,
  VALUE_SCALE,
  VENUES,
  type Venue,
} from '../domain/market.ts'

const Decimal = z.string().regex(/^\d{1,15}(?:\.\d{1,8})?$/, 'must be a plain decimal')
const Coin = z.string().regex(/^[A-Z0-9]{1,20}$/, 'must be 1 to 20 capital letters and digits')
const Parts = z.string().regex(/^0?\.\d{1,4}$|^0$|^[1-9]\d?$/, 'must be a share such as 0.05')

const SymbolBody = z.strictObject({
  venues: z
    .array(z.enum(VENUES))
    .min(1)
    .default([...VENUES]),
  base: Coin,
  quote: Coin.default('USDT'),
  tick: Decimal,
  minPrice: Decimal.optional(),
  maxPrice: Decimal.optional(),
  step: Decimal,
  minQuantity: Decimal.optional(),
  maxQuantity: Decimal.optional(),
  maxMarketQuantity: Decimal.optional(),
  minNotional: Decimal.optional(),
  band: z.strictObject({ up: Parts, down: Parts }).optional(),
  maxOrders: z.number().int().min(1).max(100_000).optional(),
  maxConditionalOrders: z.number().int().min(1).max(100_000).optional(),
  bid: Decimal,
  ask: Decimal,
})

type Asked = z.infer<typeof SymbolBody>

const BAND_PLACES = 4
const DEFAULT_MAX_TICKS = 10n ** 8n
const DEFAULT_MAX_STEPS = 10n ** 9n

/** The markets that a body describes, one for each venue it names, or why they cannot be. */
export function readSymbol(symbol: string, body: unknown): Market[] | { fault: string } {
  if (!/^[A-Z0-9]{2,20}$/.test(symbol)) return { fault: 'a symbol is 2 to 20 capital letters and digits' }
  const read = SymbolBody.safeParse(body)
  if (!read.success) return { fault: z.prettifyError(read.error) }
  const markets: Market[] = []
  for (const venue of new Set(read.data.venues)) {
    const market = marketFrom(venue, symbol, read.data)
    if ('fault' in market) return { fault: `${venue}: ${market.fault}` }
    markets.push(market)
  }
  return markets
}

// Absent fields of the body are as with the venue's other small coins.
function marketFrom(venue: Venue, symbol: string, asked: Asked): Market | { fault: string } {
  const like = marketsOf(venue).at(-1)
  if (!like) return { fault: 'it has no market to go by' }
  const pricePrecision = placesOf(asked.tick)
  const quantityPrecision = placesOf(asked.step)
  if (pricePrecision + quantityPrecision > VALUE_SCALE)
    return { fault: `the places of tick and step together are more than ${VALUE_SCALE}` }
  const filters = filtersFrom(asked, like, pricePrecision, quantityPrecision)
  if (!filters) return { fault: 'a filter is finer than the tick or the step' }
  const { base, quote } = asked
  const { maxOrders = like.maxOrders, maxConditionalOrders = like.maxConditionalOrders } = asked
  const named = { id: marketIdOf(venue, symbol), venue, symbol, base, quote }
  const market = { ...like, ...named, pricePrecision, quantityPrecision, maxOrders, maxConditionalOrders }
  return priced({ ...market, ...filters }, asked)
}

type Filters = Pick<
  Market,
  | 'tick'
  | 'minPrice'
  | 'maxPrice'
  | 'step'
  | 'minQuantity'
  | 'maxQuantity'
  | 'maxMarketQuantity'
  | 'minNotional'
  | 'band'
>

function filtersFrom(asked: Asked, like: Market, places: number, lots: number): Filters | undefined {
  const [tick, step] = [parseFixed(asked.tick, places), parseFixed(asked.step, lots)]
  if (!tick || !step) return undefined
  const filters = {
    tick,
    step,
    minPrice: given(asked.minPrice, places, tick),
    maxPrice: given(asked.maxPrice, places, tick * DEFAULT_MAX_TICKS),
    minQuantity: given(asked.minQuantity, lots, step),
    maxQuantity: given(asked.maxQuantity, lots, step * DEFAULT_MAX_STEPS),
    maxMarketQuantity: given(asked.maxMarketQuantity ?? asked.maxQuantity, lots, step * DEFAULT_MAX_STEPS),
    minNotional: given(asked.minNotional, VALUE_SCALE, like.minNotional),
  }
  const { up, down } = asked.band ?? {}
  const band = { up: given(up, BAND_PLACES, like.band.up), down: given(down, BAND_PLACES, like.band.down) }
  const complete = { ...filters, band }
  return isComplete(complete) ? complete : undefined
}

function given(text: string | undefined, places: number, otherwise: bigint): bigint | undefined {
  return text === undefined ? otherwise : parseFixed(text, places)
}

type Loose<Values> = { [Name in keyof Values]: Values[Name] | undefined }

function isComplete(
  filters: Loose<Omit<Filters, 'band'>> & { band: Loose<Filters['band']> },
): filters is Filters {
  const { band, ...rest } = filters
  return [...Object.values(rest), ...Object.values(band)].every((value) => value !== undefined)
}

function priced(market: Market, asked: Asked): Market | { fault: string } {
  const [bid, ask] = [parseFixed(asked.bid, VALUE_SCALE), parseFixed(asked.ask, VALUE_SCALE)]
  if (bid === undefined || ask === undefined || bid > ask) return { fault: 'bid must not be above ask' }
  const onGrid = { bid: floorToTick(market, bid), ask: ceilToTick(market, ask) }
  if (onGrid.bid === 0n) return { fault: 'bid is below the tick' }
  return { ...market, ...onGrid }
}

function placesOf(text: string): number {
  return (text.split('.')[1] ?? '').replace(/0+$/, '').length
}
