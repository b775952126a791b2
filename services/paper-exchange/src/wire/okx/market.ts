import { fixed, formatTrimmed, parseFixed } from '../../domain/fixed.ts'
import { findMarket, type Market, type MarketId, marketsOf, VALUE_SCALE } from '../../domain/market.ts'
import { OkxError } from './perform.ts'

// The amount of base coin of one contract ("Get instruments" of the documentation, 2026-06, has BTC's).
const CONTRACTS: Readonly<Record<string, string>> = { BTC: '0.01', ETH: '0.1', XRP: '100', DOGE: '1000' }

/** Both families of markets, as requests name them. */
export const TYPES = { SPOT: 'okx-spot', SWAP: 'okx-linear' } as const

/** Whether a market is one of this venue's. */
export function isHere(id: MarketId): boolean {
  return id.startsWith('okx-')
}

/** The venue's name of a market. */
export function instId({ base, quote, kind }: Market): string {
  return kind === 'spot' ? `${base}-${quote}` : `${base}-${quote}-SWAP`
}

/** The market of a name, or the venue's error. */
export function marketNamed(name: string): Market {
  const isSwap = name.endsWith('-SWAP')
  const market = findMarket(isSwap ? TYPES.SWAP : TYPES.SPOT, name.replace('-SWAP', '').replace('-', ''))
  if (market === undefined || instId(market) !== name)
    throw new OkxError(51001, "Instrument ID, Instrument ID code or Spread ID doesn't exist.")
  return market
}

/** The markets of a type, or the one that is named. */
export function marketsIn(type: string, name: string): readonly Market[] {
  if (name !== '') return [marketNamed(name)]
  return type === 'SPOT' || type === 'SWAP' ? marketsOf(TYPES[type]) : []
}

function contractOf({ base, kind }: Market): string {
  return kind === 'spot' ? '1' : (CONTRACTS[base] ?? '1')
}

/** A quantity as the venue writes it: contracts of a swap, the base coin on spot. */
export function sizeText(market: Market, quantity: bigint): string {
  const contract = fixed(contractOf(market), VALUE_SCALE)
  const scaled = quantity * 10n ** BigInt(2 * VALUE_SCALE - market.quantityPrecision)
  return formatTrimmed(scaled / contract, VALUE_SCALE)
}

/** A quantity of the market from what the venue is sent. */
export function readSize(market: Market, text: string): bigint {
  const size = parseFixed(text, VALUE_SCALE)
  if (size === undefined) throw new OkxError(51000, 'Parameter sz error', 400)
  const scaled = size * fixed(contractOf(market), VALUE_SCALE)
  const unit = 10n ** BigInt(2 * VALUE_SCALE - market.quantityPrecision)
  if (scaled % unit !== 0n) throw new OkxError(51121, 'Order quantity must be a multiple of the lot size.')
  return scaled / unit
}

/** A price of the market as the venue writes it. */
export function priceText({ pricePrecision }: Market, price: bigint): string {
  return formatTrimmed(price, pricePrecision)
}

/** A price of the market from what the venue is sent. */
export function readPrice({ pricePrecision }: Market, text: string, name: string): bigint {
  const price = parseFixed(text, pricePrecision)
  if (price === undefined) throw new OkxError(51000, `Parameter ${name} error`, 400)
  return price
}

/** Everything the venue says of a market. */
export function formatInstrument(market: Market) {
  const isSpot = market.kind === 'spot'
  const size = (quantity: bigint): string => sizeText(market, quantity)
  return {
    ...{ instType: isSpot ? 'SPOT' : 'SWAP', instId: instId(market), state: 'live', category: '1' },
    ...{ baseCcy: isSpot ? market.base : '', quoteCcy: isSpot ? market.quote : '' },
    ...{ settleCcy: isSpot ? '' : market.quote, uly: isSpot ? '' : `${market.base}-${market.quote}` },
    ...{ ctType: isSpot ? '' : 'linear', ctVal: isSpot ? '' : contractOf(market), ctMult: isSpot ? '' : '1' },
    ...{ ctValCcy: isSpot ? '' : market.base, lever: isSpot ? '' : `${market.brackets[0]?.leverage ?? 1}` },
    ...{ tickSz: priceText(market, market.tick), lotSz: size(market.step), minSz: size(market.minQuantity) },
    ...{ maxLmtSz: size(market.maxQuantity), maxMktSz: isSpot ? '1000000' : size(market.maxMarketQuantity) },
    ...{ listTime: '1606468572000', expTime: '', alias: '', optType: '', stk: '' },
  }
}
