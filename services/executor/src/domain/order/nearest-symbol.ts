import { nearest } from '@tripline/proto/language/suggestion'
import type { Market } from './market.ts'

/** The symbols of a venue, and their markets. */
export interface Listing {
  symbols: () => readonly string[]
  market: (symbol: string) => Pick<Market, 'base'> | undefined
}

/**
 * The listed symbol that was probably meant; undefined where none is near. The quote coin that two symbols share makes them
 * no more alike: FOOUSDT is not DOTUSDT.
 */
export function nearestSymbol(symbol: string, { symbols, market }: Listing): string | undefined {
  const alike = symbols().filter((listed) => isAlike(symbol, listed, market(listed)?.base ?? listed))
  return nearest(symbol, alike)
}

function isAlike(symbol: string, listed: string, base: string): boolean {
  const behindBase = listed.startsWith(base) ? listed.slice(base.length) : ''
  if (behindBase === '' || !symbol.endsWith(behindBase)) return true
  return nearest(symbol.slice(0, -behindBase.length), [base]) !== undefined
}
