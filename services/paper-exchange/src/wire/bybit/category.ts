import { findMarket, type Market, type MarketId, marketsOf, type Venue } from '../../domain/market.ts'
import { BybitError } from './errors.ts'
import { type Fields, textIn } from './fields.ts'

/** The venue's word for a family of markets. */
export type Category = 'linear' | 'spot'

/** The same with those that this venue lists nothing of. */
export type AnyCategory = Category | 'inverse' | 'option'

const VENUES: Readonly<Record<Category, Venue>> = { linear: 'bybit-linear', spot: 'bybit-spot' }
const CATEGORIES: readonly string[] = ['linear', 'spot', 'inverse', 'option']

/** The category a request names. */
export function categoryIn(fields: Fields): AnyCategory {
  const text = textIn(fields, 'category')
  if (text === undefined || !isCategory(text)) throw new BybitError(10001, 'Illegal category')
  return text
}

function isCategory(text: string): text is AnyCategory {
  return CATEGORIES.includes(text)
}

/** The same for a request that must be about markets of this venue. */
export function tradedCategoryIn(fields: Fields): Category {
  const category = categoryIn(fields)
  if (category === 'inverse' || category === 'option') throw new BybitError(10001, 'Illegal category')
  return category
}

/** The markets of a category, in the order the venue lists them. */
export function marketsIn(category: AnyCategory): readonly Market[] {
  return category === 'linear' || category === 'spot' ? marketsOf(VENUES[category]) : []
}

/** The market of a category with this symbol, or the venue's error. */
export function marketNamed(category: AnyCategory, symbol: string | undefined): Market {
  const known = category === 'linear' || category === 'spot'
  const market = symbol !== undefined && known ? findMarket(VENUES[category], symbol) : undefined
  if (market) return market
  if (category === 'spot') throw new BybitError(170121, 'Invalid symbol.')
  throw new BybitError(10001, 'params error: symbol invalid')
}

/** The market a request names within its category. */
export function marketIn(fields: Fields): Market {
  return marketNamed(tradedCategoryIn(fields), textIn(fields, 'symbol'))
}

/** The category of one of this venue's markets, or undefined for another venue's. */
export function categoryOfId(id: MarketId): Category | undefined {
  if (id.startsWith('bybit-linear:')) return 'linear'
  return id.startsWith('bybit-spot:') ? 'spot' : undefined
}

/** The markets a request is about: the one it names, or all that it gives the coin of. */
export function scopeIn(fields: Fields): readonly Market[] | undefined {
  const category = categoryIn(fields)
  const symbol = textIn(fields, 'symbol')
  if (symbol !== undefined) return [marketNamed(category, symbol)]
  const [base, settle] = [textIn(fields, 'baseCoin'), textIn(fields, 'settleCoin')]
  if (base === undefined && settle === undefined) return undefined
  return marketsIn(category).filter(
    (market) =>
      (base === undefined || market.base === base) && (settle === undefined || market.quote === settle),
  )
}
